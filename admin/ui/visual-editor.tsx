import { useLingui } from '@lingui/react/macro'
import type { Editor } from '@tiptap/core'
import { type KeyboardEvent, useEffect, useEffectEvent, useId, useLayoutEffect, useRef, useState } from 'react'
import { directionOf } from '#contract/direction.ts'
import type { Locale } from '#contract/enumerations.ts'
import { Button } from '~/ui/button'
import prose from '~/ui/prose.module.css'
import { notify } from '../platform/notifications'
import { LinkFields } from './link-fields'
import { PictureFields, usePictureUpload } from './picture-fields'
import { fitsEditor, openEditor, storedHtml } from './rich-text'
import { insertTable } from './table-nodes'
import { TableTools } from './table-tools'
import styles from './visual-editor.module.css'

/** Signs of the buttons: lines in a square of 24. */
const signs = {
  heading: 'M6 5v14M17 5v14M6 12h11',
  subheading: 'M8 9v10M15 9v10M8 14h7',
  bold: 'M8 5h5a3.5 3.5 0 0 1 0 7H8zM8 12h6a3.5 3.5 0 0 1 0 7H8z',
  italic: 'M10 5h7M7 19h7M14 5l-4 14',
  strike: 'M4 12h16M16 8c-.5-2-2-3-4-3-2.5 0-4 1.2-4 3M8 16c.5 2 2 3 4 3 2.5 0 4-1.2 4-3',
  link: 'M10 14a4 4 0 0 0 5.7 0l3-3a4 4 0 0 0-5.7-5.7l-1 1M14 10a4 4 0 0 0-5.7 0l-3 3a4 4 0 0 0 5.7 5.7l1-1',
  bullets: 'M9 6h11M9 12h11M9 18h11M4.5 6h.01M4.5 12h.01M4.5 18h.01',
  numbers: 'M10 6h10M10 12h10M10 18h10M4 5l1.5-1v5M3.8 15.2c.4-1.4 2.7-1.2 2.7.2 0 1.2-2.7 2.1-2.7 3.6h2.8',
  picture: 'M4 5h16v14H4zM4 16l5-5 4 4 3-3 4 4M15 9h.01',
  table: 'M4 5h16v14H4zM4 10h16M4 14.5h16M12 5v14',
  quote: 'M5 8h4v4H5zM5 12a4 4 0 0 0 3 4M14 8h4v4h-4zM14 12a4 4 0 0 0 3 4',
  undo: 'M8.5 6.5l-4 4 4 4M4.5 10.5h9a5 5 0 0 1 0 10h-3',
  redo: 'M15.5 6.5l4 4-4 4M19.5 10.5h-9a5 5 0 0 0 0 10h3',
} as const

interface Tool {
  key: keyof typeof signs
  /** The accessible name. */
  label: string
  isActive?: boolean
  isDisabled?: boolean
  run: () => void
}

/** What is filled in below the toolbar. */
type Fields = 'LINK' | 'PICTURE'

const useTools = (editor: Editor, openFields: (fields: Fields) => void): Tool[] => {
  const { t } = useLingui()
  const chain = () => editor.chain().focus()
  const heading = (level: 2 | 3, key: Tool['key'], label: string): Tool => ({
    key,
    label,
    isActive: editor.isActive('heading', { level }),
    run: () => chain().toggleHeading({ level }).run(),
  })
  return [
    heading(2, 'heading', t`Heading`),
    heading(3, 'subheading', t`Subheading`),
    {
      key: 'bold',
      label: t`Bold`,
      isActive: editor.isActive('bold'),
      run: () => chain().toggleBold().run(),
    },
    {
      key: 'italic',
      label: t`Italic`,
      isActive: editor.isActive('italic'),
      run: () => chain().toggleItalic().run(),
    },
    {
      key: 'strike',
      label: t`Strikethrough`,
      isActive: editor.isActive('strike'),
      run: () => chain().toggleStrike().run(),
    },
    { key: 'link', label: t`Link`, isActive: editor.isActive('link'), run: () => openFields('LINK') },
    {
      key: 'picture',
      label: t`Picture`,
      isActive: editor.isActive('picture'),
      run: () => openFields('PICTURE'),
    },
    { key: 'table', label: t`Table`, isActive: editor.isActive('table'), run: () => insertTable(editor) },
    {
      key: 'bullets',
      label: t`Bulleted list`,
      isActive: editor.isActive('bulletList'),
      run: () => chain().toggleBulletList().run(),
    },
    {
      key: 'numbers',
      label: t`Numbered list`,
      isActive: editor.isActive('orderedList'),
      run: () => chain().toggleOrderedList().run(),
    },
    {
      key: 'quote',
      label: t`Quote`,
      isActive: editor.isActive('blockquote'),
      run: () => chain().toggleBlockquote().run(),
    },
    {
      key: 'undo',
      label: t`Undo`,
      isDisabled: !editor.can().undo(),
      run: () => chain().undo().run(),
    },
    {
      key: 'redo',
      label: t`Redo`,
      isDisabled: !editor.can().redo(),
      run: () => chain().redo().run(),
    },
  ]
}

/** The buttons of the editor. The arrow keys move among them, as in every toolbar. */
function Toolbar({ label, tools }: { label: string; tools: readonly Tool[] }) {
  const [at, setAt] = useState(0)
  const bar = useRef<HTMLDivElement>(null)
  const move = (event: KeyboardEvent) => {
    const steps: Record<string, number> = { ArrowRight: 1, ArrowLeft: -1, Home: -at, End: tools.length - 1 - at }
    const step = steps[event.key]
    if (step === undefined) return
    event.preventDefault()
    const isReversed = event.key.startsWith('Arrow') && getComputedStyle(event.currentTarget).direction === 'rtl'
    const next = (at + (isReversed ? -step : step) + tools.length) % tools.length
    setAt(next)
    bar.current?.querySelectorAll('button')[next]?.focus()
  }
  return (
    <div ref={bar} role="toolbar" aria-label={label} className={styles.toolbar} onKeyDown={move}>
      {tools.map(({ key, label: name, isActive, isDisabled = false, run }, place) => (
        <Button
          key={key}
          size="s"
          variant="ghost"
          className={styles.tool}
          aria-label={name}
          title={name}
          aria-pressed={isActive}
          aria-disabled={isDisabled}
          tabIndex={place === at ? 0 : -1}
          onFocus={() => setAt(place)}
          // The editor keeps its selection.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => !isDisabled && run()}
        >
          <svg className={styles.sign} viewBox="0 0 24 24" aria-hidden>
            <path d={signs[key]} />
          </svg>
        </Button>
      ))}
    </div>
  )
}

export interface VisualEditorProps {
  label: string
  html: string
  language: Locale | undefined
  isDisabled: boolean
  isInvalid: boolean
  describedBy: string | undefined
  /** Called with each change of the text. */
  onChange: (html: string) => void
  /** The text has parts that the editor does not have. */
  onUnfit: () => void
}

/** A rich text as visitors see it. It is changed only by who types, not by being opened. */
export function VisualEditor(props: VisualEditorProps) {
  const { label, html, language, isDisabled, isInvalid, describedBy, onChange, onUnfit } = props
  const { t } = useLingui()
  const place = useRef<HTMLDivElement>(null)
  const [editor, setEditor] = useState<Editor | null>(null)
  // Buttons show the state at the selection.
  const [, setSteps] = useState(0)
  const id = useId()
  const report = useEffectEvent(onChange)
  const refuse = useEffectEvent(onUnfit)
  const first = useEffectEvent(() => html)
  const tellLeftOut = useEffectEvent(() =>
    notify('error', t`Pictures are not pasted. Upload them with the button Picture.`),
  )
  // Before anything is drawn: a text that does not fit is shown as HTML at once.
  useLayoutEffect(() => {
    const element = place.current
    if (!element) return
    const text = first()
    if (!fitsEditor(text)) return refuse()
    const opened = openEditor({
      element,
      html: text,
      onPictureLeftOut: () => tellLeftOut(),
      onUpdate: ({ editor: changed }) => report(storedHtml(changed)),
      onTransaction: () => setSteps((steps) => steps + 1),
    })
    setEditor(opened)
    return () => opened.destroy()
  }, [])
  // The editor stays while its error comes and goes.
  useLayoutEffect(() => {
    if (!editor) return
    const attributes = {
      id,
      class: `${prose.prose} ${styles.text}`,
      role: 'textbox',
      'aria-multiline': 'true',
      'aria-label': label,
      ...(describedBy && { 'aria-describedby': describedBy }),
      ...(language && { lang: language, dir: directionOf(language) }),
    }
    editor.setOptions({ editorProps: { ...editor.options.editorProps, attributes } })
  }, [editor, id, label, language, describedBy])
  useEffect(() => editor?.setEditable(!isDisabled, false), [editor, isDisabled])
  return (
    <div className={styles.editor} aria-invalid={isInvalid || undefined}>
      {editor && !isDisabled && <EditorTools editor={editor} label={t`Format: ${label}`} />}
      <div ref={place} className={styles.place} />
    </div>
  )
}

function EditorTools({ editor, label }: { editor: Editor; label: string }) {
  const [fields, setFields] = useState<Fields | null>(null)
  const tools = useTools(editor, setFields)
  const upload = usePictureUpload(editor)
  const close = () => setFields(null)
  return (
    <>
      <Toolbar label={label} tools={tools} />
      {(editor.isActive('table') || editor.isActive('captionedTable')) && <TableTools editor={editor} />}
      {fields === 'LINK' && <LinkFields editor={editor} onClose={close} />}
      {(fields === 'PICTURE' || upload.isPending) && <PictureFields editor={editor} upload={upload} onClose={close} />}
    </>
  )
}
