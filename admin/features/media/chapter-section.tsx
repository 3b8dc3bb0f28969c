import { Trans, useLingui } from '@lingui/react/macro'
import { type RefObject, useState } from 'react'
import { maxChapters, type StoreVideo, storeVideo } from '#contract/admin/videos.ts'
import type { Locale } from '#contract/enumerations.ts'
import { Button } from '~/ui/button'
import { useAdminApi } from '../../platform/admin-api'
import { useMay } from '../../platform/session'
import { useWrite } from '../../platform/use-write'
import { WriteRefusal } from '../../ui/conflict'
import { onSubmit } from '../../ui/form'
import form from '../../ui/form.module.css'
import { FormDraft, heldState } from '../../ui/form-draft'
import { Section } from '../../ui/page'
import { TextField } from '../../ui/text-field'
import { TranslatedFields } from '../../ui/translated-fields'
import { UnsavedChanges } from '../../ui/unsaved-changes'
import { TimeField } from './cue-form'
import { chapterStart, newKey } from './cues'
import styles from './media.module.css'
import { videoQuery } from './videos.queries'

type Chapter = StoreVideo['chapters'][number] & { key: number }

const byStart = (chapters: readonly Chapter[]) =>
  chapters.toSorted((one, other) => one.startSeconds - other.startSeconds)

interface ChapterSectionProps {
  video: StoreVideo
  place: RefObject<HTMLVideoElement | null>
}

/** The chapters as they are edited, and their save. */
const useChapters = ({ video }: ChapterSectionProps) => {
  const { t } = useLingui()
  const api = useAdminApi()
  const [chapters, setChapters] = useState<Chapter[]>(() =>
    video.chapters.map((chapter) => ({ ...chapter, key: newKey() })),
  )
  const [isDirty, setDirty] = useState(false)
  const edit = (changed: readonly Chapter[]) => {
    setChapters([...changed])
    setDirty(true)
  }
  const save = useWrite(
    () =>
      api.admin.videos.setChapters(
        { id: video.id, chapters: chapters.map(({ key: _, ...chapter }) => chapter) },
        { context: { ifMatch: video.version } },
      ),
    {
      done: t`Chapters saved`,
      changes: [['product']],
      answers: (saved) => [videoQuery(api, video.id).queryKey, saved],
      onDone: () => setDirty(false),
    },
  )
  return { chapters, edit, isDirty, save }
}

/** The chapters of a video: where each begins, and its title in each language of the store. */
export function ChapterSection(props: ChapterSectionProps & { onReload: () => void }) {
  const { video, place, onReload } = props
  const { t } = useLingui()
  const isAllowed = useMay()('videos:write')
  const { chapters, edit, isDirty, save } = useChapters(props)
  // Rounded up, it may be the end of the video, where no chapter begins.
  const now = () => Math.floor(place.current?.currentTime ?? 0)
  const add = () => {
    const starts = chapters.map((chapter) => chapter.startSeconds)
    const startSeconds = chapterStart(starts, now(), video.durationSeconds)
    edit(byStart([...chapters, { key: newKey(), startSeconds, title: '', translations: {} }]))
  }
  return (
    <Section
      title={<Trans>Chapters</Trans>}
      actions={
        isAllowed &&
        chapters.length < maxChapters && (
          <Button size="s" icon="plus" onClick={add}>
            {video.stream ? <Trans>Add a chapter where the video is</Trans> : <Trans>Add a chapter</Trans>}
          </Button>
        )
      }
    >
      {chapters.length === 0 && (
        <p>
          <Trans>Viewers jump to chapters from the player’s timeline.</Trans>
        </p>
      )}
      <form
        className={form.fields}
        onSubmit={onSubmit(() => {
          edit(byStart(chapters))
          save.send(undefined)
        })}
      >
        {isAllowed && (
          <FormDraft
            queryKey={['video', video.id]}
            part="chapters"
            isDirty={isDirty}
            held={heldState(chapters, storeVideo.shape.chapters, (held) =>
              edit(held.map((chapter) => ({ ...chapter, key: newKey() }))),
            )}
          />
        )}
        {chapters.map((chapter, at) => {
          const { key, startSeconds, title, translations } = chapter
          const name = title || t`New chapter`
          const change = (part: Partial<Chapter>) => edit(chapters.with(at, { ...chapter, ...part }))
          const errors = save.failure?.fields ?? {}
          return (
            <fieldset key={key} className={styles.chapter} disabled={!isAllowed}>
              <legend className={styles.legend}>
                {at + 1}. <bdi>{name}</bdi>
              </legend>
              <TimeField
                label={t`Start`}
                seconds={startSeconds}
                error={errors[`chapters.${at}.startSeconds`]}
                onChange={(seconds) => change({ startSeconds: seconds })}
                now={
                  video.stream && {
                    label: t`Start where the video is`,
                    onClick: () => change({ startSeconds: now() }),
                  }
                }
              />
              <TextField
                label={t`Title`}
                value={title}
                maxLength={200}
                required
                error={errors[`chapters.${at}.title`]}
                onChange={({ target }) => change({ title: target.value })}
              />
              {video.shownBy.length > 0 && (
                <TranslatedFields
                  texts={[{ name: 'title', label: t`Title`, own: title, maxLength: 200 }]}
                  values={Object.fromEntries(
                    Object.entries(translations).map(([language, text]) => [language, { title: text }]),
                  )}
                  onChange={(texts) => change({ translations: titlesIn(texts) })}
                  errors={errors}
                  path={`chapters.${at}.`}
                />
              )}
              <Button
                size="s"
                className={styles.remove}
                aria-label={t`Remove: ${name}`}
                onClick={() => edit(chapters.toSpliced(at, 1))}
              >
                <Trans>Remove</Trans>
              </Button>
            </fieldset>
          )
        })}
        <WriteRefusal failure={save.failure} queryKey={['video', video.id]} onLoaded={onReload} />
        {isAllowed && (chapters.length > 0 || isDirty) && (
          <div className={form.buttons}>
            <Button type="submit" variant="primary" loading={save.isPending} disabled={!isDirty}>
              <Trans>Save chapters</Trans>
            </Button>
          </div>
        )}
      </form>
      <UnsavedChanges when={isDirty && !save.isPending} />
    </Section>
  )
}

/** Titles by language, without those that are empty. */
const titlesIn = (texts: Readonly<Partial<Record<Locale, { title?: string }>>>): Partial<Record<Locale, string>> =>
  Object.fromEntries(Object.entries(texts).flatMap(([language, { title }]) => (title ? [[language, title]] : [])))
