import { Trans, useLingui } from '@lingui/react/macro'
import type { QueryKey } from '@tanstack/react-query'
import { diffWordsWithSpace } from 'diff'
import { useMemo } from 'react'
import { directionOf } from '#contract/direction.ts'
import { Button } from '~/ui/button'
import { Dialog } from '~/ui/dialog'
import { Prose } from '~/ui/prose'
import { useFormat } from '../platform/format'
import { useSettings } from '../platform/settings'
import { useWrite } from '../platform/use-write'
import { type AuditEntry, actorName } from './audit-text'
import { WriteRefusal } from './conflict'
import type { ContentText } from './content-form'
import { useHtmlPreview } from './html-preview'
import { storeLanguages } from './store-languages'
import styles from './version-dialog.module.css'
import { differingFields, fieldOf, type VersionTexts, wordsOf } from './versions'

interface DifferenceProps {
  text: ContentText
  language: ReturnType<typeof fieldOf>['language']
  before: string
  now: string
}

/** Words that were added since a version, and words that were removed. */
function Difference({ text, language, before, now }: DifferenceProps) {
  const { locale } = useSettings().base
  const isHtml = text.kind === 'html'
  const parts = useMemo(() => {
    const words = (value: string) => (isHtml ? wordsOf(value) : value)
    const intlSegmenter = new Intl.Segmenter(language ?? locale, { granularity: 'word' })
    return diffWordsWithSpace(words(before), words(now), { intlSegmenter })
  }, [isHtml, before, now, language, locale])
  const isSame = parts.every(({ added, removed }) => !added && !removed)
  return (
    <p className={styles.words} lang={language ?? locale} dir={directionOf(language ?? locale)}>
      {isSame ? (
        <Trans>The words are the same; headings, links or other formatting differ.</Trans>
      ) : (
        parts.map(({ value, added, removed }, at) => {
          // The parts have no identity but their place.
          const key = `${at}`
          if (removed) return <ins key={key}>{value}</ins>
          return added ? <del key={key}>{value}</del> : <span key={key}>{value}</span>
        })
      )}
    </p>
  )
}

/** A text of a version as visitors saw it. */
function ShownText({ html, language }: { html: string; language: DifferenceProps['language'] }) {
  const shown = useHtmlPreview(html)
  return shown === undefined ? null : <Prose html={shown} lang={language ?? undefined} />
}

export interface VersionDialogProps {
  entry: AuditEntry
  texts: readonly ContentText[]
  before: VersionTexts
  now: VersionTexts
  queryKey: QueryKey
  changes: readonly QueryKey[]
  /** Writes the texts of the version. Null for who may not. */
  restore: ((texts: VersionTexts) => Promise<unknown>) | null
  onClose: () => void
}

/** A version of texts beside the present one, and the way back to it. */
export function VersionDialog(props: VersionDialogProps) {
  const { entry, texts, before, now, queryKey, changes, restore, onClose } = props
  const { t, i18n } = useLingui()
  const { dateTime } = useFormat()
  const at = dateTime(entry.at)
  const fields = differingFields(before, now).flatMap((field) => {
    const { name, language } = fieldOf(field)
    const text = texts.find((each) => each.name === name)
    return text ? [{ field, text, language }] : []
  })
  const save = useWrite(
    async () => restore?.(Object.fromEntries(fields.map(({ field }) => [field, before[field] ?? null]))),
    { done: t`Version restored`, changes: [queryKey, ...changes], onClose },
  )
  return (
    <Dialog
      open
      size="wide"
      onClose={onClose}
      title={<Trans>Version of {at}</Trans>}
      description={<bdi>{actorName(entry.actor)}</bdi>}
      closeLabel={t`Close`}
      footer={
        <>
          <Button variant="ghost" onClick={onClose}>
            <Trans>Back</Trans>
          </Button>
          {restore && (
            <Button variant="primary" loading={save.isPending} onClick={() => save.send(undefined)}>
              <Trans>Restore this version</Trans>
            </Button>
          )}
        </>
      }
    >
      <div className={styles.version}>
        <p>
          <Trans>
            What this version has and the present text has not is <ins>underlined</ins>; what was written since is{' '}
            <del>struck through</del>. Restoring saves a new version: nothing is lost.
          </Trans>
        </p>
        {fields.map(({ field, text, language }) => {
          const label = i18n._(text.label)
          return (
            <section key={field} className={styles.field} aria-label={label}>
              <h3 className={styles.label}>
                {label} {language && <bdi lang={language}>({storeLanguages[language]})</bdi>}
              </h3>
              <Difference text={text} language={language} before={before[field] ?? ''} now={now[field] ?? ''} />
              {text.kind === 'html' && before[field] && (
                <details>
                  <summary>
                    <Trans>Show it as visitors saw it</Trans>
                  </summary>
                  <div className={styles.shown}>
                    <ShownText html={before[field]} language={language} />
                  </div>
                </details>
              )}
            </section>
          )
        })}
        <WriteRefusal failure={save.failure} queryKey={queryKey} onLoaded={onClose} />
      </div>
    </Dialog>
  )
}
