import { Trans, useLingui } from '@lingui/react/macro'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { directionOf } from '#contract/direction.ts'
import type { Locale } from '#contract/enumerations.ts'
import { Button } from '~/ui/button'
import { Prose } from '~/ui/prose'
import { TextArea } from '~/ui/text-field'
import { useSettled } from '~/ui/use-settled'
import { useAdminApi } from '../platform/admin-api'
import styles from './html-field.module.css'
import { htmlOf } from './html-text'

/** Milliseconds after the last key until the preview is loaded. */
const pause = 300

/** What visitors see of a text: the API removes what pages do not allow. */
function Preview({ html, language }: { html: string; language: Locale | undefined }) {
  const { t } = useLingui()
  const api = useAdminApi()
  const settled = useSettled(html, pause)
  const preview = useQuery({
    queryKey: ['html-preview', settled],
    queryFn: () => api.admin.previewHtml({ html: settled }),
    enabled: settled !== '',
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    placeholderData: keepPreviousData,
  })
  if (html === '' || !preview.data) return null
  return (
    <section className={styles.preview} aria-label={t`Preview`}>
      <span className={styles.previewTitle} aria-hidden>
        <Trans>Preview</Trans>
      </span>
      <Prose html={preview.data.html} lang={language} />
    </section>
  )
}

/** Puts tags around the selection, or around `empty` where nothing is selected. */
const wrap = (area: HTMLTextAreaElement, around: (text: string) => string, empty: string) => {
  const { selectionStart, selectionEnd, value } = area
  const chosen = value.slice(selectionStart, selectionEnd)
  area.setRangeText(around(chosen || empty), selectionStart, selectionEnd, 'select')
  area.focus()
  // React handles the event like typing.
  area.dispatchEvent(new Event('input', { bubbles: true }))
}

const listOf = (text: string) =>
  `<ul>\n${text
    .split(/\n+/)
    .map((line) => `  <li>${line.trim()}</li>`)
    .join('\n')}\n</ul>`

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

/** A rich text, written in plain paragraphs or in HTML, with what visitors see of it. */
export function HtmlField({ language, disabled, defaultValue, label, ...field }: HtmlFieldProps) {
  const { t } = useLingui()
  const [text, setText] = useState(defaultValue)
  const area = useRef<HTMLTextAreaElement>(null)
  const tools = [
    { key: 'heading', label: t`Heading`, around: (chosen: string) => `<h2>${chosen}</h2>`, empty: t`Heading` },
    { key: 'bold', label: t`Bold`, around: (chosen: string) => `<strong>${chosen}</strong>`, empty: t`Important` },
    {
      key: 'link',
      label: t`Link`,
      around: (chosen: string) => `<a href="https://example.com">${chosen}</a>`,
      empty: t`Text of the link`,
    },
    { key: 'list', label: t`List`, around: listOf, empty: t`Entry` },
  ]
  return (
    <div className={styles.field}>
      <TextArea
        {...field}
        label={label}
        ref={area}
        hint={t`Plain paragraphs with empty lines between them, or HTML.`}
        rows={10}
        value={text}
        lang={language}
        dir={language && directionOf(language)}
        onChange={({ target }) => setText(target.value)}
      />
      {!disabled && (
        <fieldset className={styles.tools} aria-label={t`Insert into: ${label}`}>
          {tools.map(({ key, label: name, around, empty }) => (
            <Button key={key} size="s" onClick={() => area.current && wrap(area.current, around, empty)}>
              {name}
            </Button>
          ))}
        </fieldset>
      )}
      <Preview html={htmlOf(text)} language={language} />
    </div>
  )
}
