import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import type { StoreVideo } from '#contract/admin/videos.ts'
import { Notice } from '~/ui/notice'
import { Select } from '~/ui/select'
import { useSettings } from '../../platform/settings'
import { onSubmit } from '../../ui/form'
import form from '../../ui/form.module.css'
import { FormDialog } from '../../ui/form-dialog'
import { TextField } from '../../ui/text-field'
import { useReadCaptions } from './caption-faults'
import { type EditedCue, newKey } from './cues'

/** Languages that captions often have, besides those of the store. */
const usualLanguages = [
  ...['ar', 'bn', 'cs', 'da', 'de', 'el', 'en', 'es', 'fa', 'fi', 'fil', 'fr', 'he', 'hi', 'hu', 'id', 'it', 'ja'],
  ...['ko', 'ms', 'nl', 'no', 'pl', 'pt-BR', 'pt-PT', 'ro', 'ru', 'sv', 'ta', 'th', 'tr', 'uk', 'ur', 'vi'],
  ...['zh-Hans', 'zh-Hant'],
]
const other = 'other'

/** The name of a language: in another one, or else in itself. Null for what is no tag. */
const languageName = (tag: string, locale = tag): string | null => {
  try {
    return new Intl.DisplayNames([locale], { type: 'language' }).of(tag) ?? tag
  } catch {
    return null
  }
}

/** A new language of captions, with what it begins with. */
export interface AddedLanguage {
  language: string
  label: string
  cues: EditedCue[]
}

interface LanguageDialogProps {
  video: StoreVideo
  /** The captions that are open, whose times a translation can begin with. */
  open: { label: string; cues: readonly EditedCue[] } | null
  onAdd: (added: AddedLanguage) => void
  onClose: () => void
}

/** Adds captions in another language: none, from a file, or with the times of the open ones. */
export function LanguageDialog({ video, open, onAdd, onClose }: LanguageDialogProps) {
  const { t, i18n } = useLingui()
  const { locales } = useSettings().base
  const taken = new Set(video.captions.map(({ language }) => language.toLowerCase()))
  const offered = [...new Set([...locales, ...usualLanguages])].filter((tag) => !taken.has(tag.toLowerCase()))
  const [choice, setChoice] = useState(offered[0] ?? other)
  const [typed, setTyped] = useState('')
  const [start, setStart] = useState(open ? 'COPY' : 'EMPTY')
  const [file, setFile] = useState<File | null>(null)
  const language = choice === other ? typed.trim() : choice
  const { read, refusal } = useReadCaptions(language)
  const [error, setError] = useState<string>()
  const add = async () => {
    const name = languageName(language)
    if (name === null) return setError(t`Use a tag such as ko or pt-BR.`)
    if (taken.has(language.toLowerCase())) return setError(t`There are captions in this language already.`)
    const cuesFrom = async () => {
      if (start === 'FILE') return file && read(file)
      return start === 'COPY' && open ? open.cues.map((cue) => ({ ...cue, key: newKey() })) : []
    }
    const cues = await cuesFrom()
    if (cues) onAdd({ language, label: name, cues })
  }
  const nameOf = (tag: string) => languageName(tag, i18n.locale) ?? tag
  return (
    <FormDialog title={t`Add a language`} action={<Trans>Add</Trans>} writes={[]} onClose={onClose}>
      {(formId) => (
        <form id={formId} className={form.form} onSubmit={onSubmit(() => void add())}>
          <Select
            label={t`Language`}
            value={choice}
            options={[
              ...offered.map((tag) => ({ value: tag, label: nameOf(tag) })),
              { value: other, label: t`Another language` },
            ]}
            onChange={({ target }) => setChoice(target.value)}
          />
          {choice === other && (
            <TextField
              label={t`Tag of the language`}
              hint={t`Such as ko, en or pt-BR.`}
              value={typed}
              required
              maxLength={35}
              dir="ltr"
              onChange={({ target }) => setTyped(target.value)}
            />
          )}
          <Select
            label={t`Begin with`}
            value={start}
            options={[
              ...(open ? [{ value: 'COPY', label: t`The captions in ${open.label}, to translate them` }] : []),
              { value: 'EMPTY', label: t`Nothing` },
              { value: 'FILE', label: t`An SRT or WebVTT file` },
            ]}
            onChange={({ target }) => setStart(target.value)}
          />
          {start === 'FILE' && (
            <TextField
              label={t`File`}
              type="file"
              accept=".srt,.vtt,text/vtt,application/x-subrip"
              required
              onChange={({ target }) => setFile(target.files?.[0] ?? null)}
            />
          )}
          {(error ?? refusal) && (
            <Notice tone="danger" urgent>
              {error ?? refusal}
            </Notice>
          )}
        </form>
      )}
    </FormDialog>
  )
}
