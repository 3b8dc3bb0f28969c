import { Trans, useLingui } from '@lingui/react/macro'
import { lazy, Suspense, useRef, useState } from 'react'
import { directionOf } from '#contract/direction.ts'
import type { Locale } from '#contract/enumerations.ts'
import { Button } from '~/ui/button'
import { FieldError, useFieldAttributes } from '~/ui/field'
import fieldStyles from '~/ui/field.module.css'
import { Notice } from '~/ui/notice'
import { Prose } from '~/ui/prose'
import { Skeleton } from '~/ui/skeleton'
import styles from './html-field.module.css'
import { useHtmlPreview } from './html-preview'
import { htmlOf } from './html-text'
import { TextArea } from './text-field'

/** What visitors see of a text. */
function Preview({ html, language }: { html: string; language: Locale | undefined }) {
  const { t } = useLingui()
  const shown = useHtmlPreview(html)
  if (html === '' || shown === undefined) return null
  return (
    <section className={styles.preview} aria-label={t`Preview`}>
      <span className={styles.previewTitle} aria-hidden>
        <Trans>Preview</Trans>
      </span>
      <Prose html={shown} lang={language} />
    </section>
  )
}

// Loaded with the first text that is edited.
const VisualEditor = lazy(async () => ({ default: (await import('./visual-editor')).VisualEditor }))

interface HtmlFieldProps {
  label: string
  name: string
  defaultValue: string
  maxLength: number
  required?: boolean
  error: string | undefined
  /** The language of the text, where it is a translation. */
  language?: Locale | undefined
  disabled?: boolean
}

type Mode = 'VISUAL' | 'HTML' | 'HTML_ONLY'

/**
 * A rich text, written as visitors see it, or in HTML beside what they see. The text of the form is
 * the HTML, and stays as it was until somebody types.
 */
export function HtmlField({
  language,
  disabled = false,
  defaultValue,
  label,
  maxLength,
  required,
  error,
  ...field
}: HtmlFieldProps) {
  const { t } = useLingui()
  const [text, setText] = useState(defaultValue)
  const [mode, setMode] = useState<Mode>('VISUAL')
  const area = useRef<HTMLTextAreaElement>(null)
  const isTyping = useRef(false)
  /** Counts the texts that came from elsewhere than the editor, which shows them anew. */
  const [edition, setEdition] = useState(0)
  const attributes = useFieldAttributes(undefined, { error })
  const isVisual = mode === 'VISUAL'
  const write = (html: string) => {
    const control = area.current
    if (!control) return
    isTyping.current = true
    control.setRangeText(html, 0, control.value.length, 'end')
    // React handles the event like typing.
    control.dispatchEvent(new Event('input', { bubbles: true }))
    isTyping.current = false
  }
  return (
    <div className={styles.field}>
      {isVisual && (
        <div className={fieldStyles.field}>
          <span className={fieldStyles.label} aria-hidden>
            {label}
          </span>
          <Suspense fallback={<Skeleton height="12rem" />}>
            <VisualEditor
              key={edition}
              label={label}
              html={htmlOf(text)}
              language={language}
              isDisabled={disabled}
              isInvalid={Boolean(error)}
              describedBy={attributes['aria-describedby']}
              onChange={write}
              onUnfit={() => setMode('HTML_ONLY')}
            />
          </Suspense>
          <FieldError id={attributes.id} error={error} />
        </div>
      )}
      {mode === 'HTML_ONLY' && (
        <Notice tone="info">
          <Trans>
            This text has parts that the visual editor does not have, such as a list of definitions, so it is edited as
            HTML.
          </Trans>
        </Notice>
      )}
      <div hidden={isVisual}>
        <TextArea
          {...field}
          // Hidden, it could not say why the form is not sent: the API does.
          maxLength={isVisual ? undefined : maxLength}
          label={label}
          ref={area}
          hint={t`Plain paragraphs with empty lines between them, or HTML.`}
          rows={10}
          value={text}
          required={required && !isVisual}
          error={isVisual ? undefined : error}
          lang={language}
          dir={language && directionOf(language)}
          onChange={({ target }) => {
            setText(target.value)
            if (!isTyping.current) setEdition(edition + 1)
          }}
        />
      </div>
      {!disabled && (
        <div className={styles.tools}>
          <Button
            size="s"
            aria-label={isVisual ? t`Edit as HTML: ${label}` : t`Edit visually: ${label}`}
            onClick={() => setMode(isVisual ? 'HTML' : 'VISUAL')}
          >
            {isVisual ? <Trans>Edit as HTML</Trans> : <Trans>Edit visually</Trans>}
          </Button>
        </div>
      )}
      {!isVisual && <Preview html={htmlOf(text)} language={language} />}
    </div>
  )
}
