import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useId, useState } from 'react'
import type { StoreProductParts } from '#contract/admin/products.ts'
import type { LessonId, ProductCode } from '#contract/ids.ts'
import { Button } from '~/ui/button'
import { Checkbox } from '~/ui/choice'
import { Notice } from '~/ui/notice'
import { ProgressBar } from '~/ui/progress'
import { TextArea, TextField } from '~/ui/text-field'
import { useAdminApi } from '../../platform/admin-api'
import { useFormat } from '../../platform/format'
import { useMay } from '../../platform/session'
import { useWrite } from '../../platform/use-write'
import { WriteRefusal } from '../../ui/conflict'
import { FileButton } from '../../ui/file-button'
import { onSubmit } from '../../ui/form'
import form from '../../ui/form.module.css'
import { Section } from '../../ui/page'
import { type TextsByLanguage, TranslatedFields } from '../../ui/translated-fields'
import { UnsavedChanges } from '../../ui/unsaved-changes'
import { PartButtons } from './part-buttons'
import styles from './products.module.css'
import { videoJobsQuery } from './products.queries'
import { useVideoUpload } from './use-video-upload'

interface EditedLesson {
  key: string
  id?: LessonId
  title: string
  summary: string
  free: boolean
  translations: TextsByLanguage<'title' | 'summary'>
}

const editedLesson = ({
  id,
  title,
  summary,
  free,
  translations,
}: StoreProductParts['lessons'][number]): EditedLesson => ({
  key: id,
  id,
  title,
  summary,
  free,
  translations,
})

interface LessonFieldsProps {
  lesson: EditedLesson
  onChange: (part: Partial<EditedLesson>) => void
  errors: Readonly<Record<string, string | undefined>>
  /** The beginning of the names of its errors. */
  path: string
}

function LessonFields({ lesson, onChange, errors, path }: LessonFieldsProps) {
  const { t } = useLingui()
  const { title, summary, free, translations } = lesson
  const onTranslation = (changed: EditedLesson['translations']) => onChange({ translations: changed })
  return (
    <>
      <TextField
        label={t`Title`}
        value={title}
        onChange={({ target }) => onChange({ title: target.value })}
        maxLength={300}
        required
        error={errors[`${path}.title`]}
      />
      <TranslatedFields label={t`Title`} name="title" values={translations} maxLength={300} onChange={onTranslation} />
      <TextArea
        label={t`Summary`}
        rows={2}
        value={summary}
        onChange={({ target }) => onChange({ summary: target.value })}
        maxLength={2000}
        error={errors[`${path}.summary`]}
      />
      <TranslatedFields
        label={t`Summary`}
        name="summary"
        values={translations}
        maxLength={2000}
        onChange={onTranslation}
      />
      <Checkbox
        label={t`Anyone may watch it`}
        checked={free}
        onChange={({ target }) => onChange({ free: target.checked })}
      />
    </>
  )
}

/** Loads the lessons again once a video of the product is encoded. */
const useReadyVideos = (code: ProductCode) => {
  const queryClient = useQueryClient()
  const jobs = useQuery({ ...videoJobsQuery(useAdminApi(), code), enabled: useMay()('videos:read') })
  const ready = jobs.data?.items.filter(({ status }) => status === 'READY').length
  useEffect(() => {
    if (ready === undefined) return
    void queryClient.invalidateQueries({ queryKey: ['product-parts', code] })
    void queryClient.invalidateQueries({ queryKey: ['product', code] })
  }, [queryClient, code, ready])
  return () => void jobs.refetch()
}

/** The video of one lesson: its length, and the button that uploads another one. */
function LessonVideo({
  title,
  seconds,
  onChoose,
}: {
  title: string
  seconds: number | null
  onChoose?: (file: File) => void
}) {
  const { t } = useLingui()
  const { duration } = useFormat()
  return (
    <div className={form.buttons}>
      <span className={styles.when}>
        {seconds === null ? <Trans>There is no video yet.</Trans> : <Trans>Length: {duration(seconds)}</Trans>}
      </span>
      {onChoose && (
        <FileButton accept="video/*,.mkv" label={t`Upload the video of: ${title}`} onChoose={onChoose}>
          {seconds === null ? <Trans>Upload a video</Trans> : <Trans>Replace the video</Trans>}
        </FileButton>
      )}
    </div>
  )
}

/** Saves all lessons, in the order in which they are. */
const useLessonsWrite = (code: ProductCode, version: string, onDone: () => void) => {
  const { t } = useLingui()
  const api = useAdminApi()
  return useWrite(
    (lessons: readonly EditedLesson[]) =>
      api.admin.products.changeParts(
        { code, lessons: lessons.map(({ key: _, ...lesson }) => lesson) },
        { context: { ifMatch: version } },
      ),
    { done: t`Lessons saved`, changes: [['product-parts', code], ['product', code], ['products']], onDone },
  )
}

/** The upload that is under way, or why it stopped. */
function UploadState({ upload }: { upload: ReturnType<typeof useVideoUpload> }) {
  const { t } = useLingui()
  return (
    <>
      {upload.failure && (
        <Notice tone="danger" urgent>
          {upload.failure}
        </Notice>
      )}
      {upload.fraction !== null && (
        <div className={styles.upload}>
          <ProgressBar fraction={upload.fraction} label={t`Upload`} />
          <Button size="s" onClick={upload.cancel}>
            <Trans>Cancel upload</Trans>
          </Button>
        </div>
      )}
    </>
  )
}

/** The lessons of a course or a series, in their order. */
export function LessonSection({ code, parts }: { code: ProductCode; parts: StoreProductParts }) {
  const { t } = useLingui()
  const may = useMay()
  const isAllowed = may('products:write')
  const newKey = useId()
  const [lessons, setLessons] = useState<EditedLesson[]>(() => parts.lessons.map(editedLesson))
  const [added, setAdded] = useState(0)
  const [isDirty, setDirty] = useState(false)
  const upload = useVideoUpload(code, useReadyVideos(code))
  const edit = (changed: EditedLesson[]) => {
    setLessons(changed)
    setDirty(true)
  }
  const save = useLessonsWrite(code, parts.version, () => setDirty(false))
  const secondsOf = (id: LessonId) => parts.lessons.find((lesson) => lesson.id === id)?.durationSeconds ?? null
  const removed = parts.lessons.filter(
    ({ id, durationSeconds }) => durationSeconds !== null && lessons.every((one) => one.id !== id),
  )
  return (
    <Section
      title={<Trans>Lessons</Trans>}
      actions={
        isAllowed && (
          <Button
            size="s"
            icon="plus"
            onClick={() => {
              setAdded(added + 1)
              edit([...lessons, { key: `${newKey}${added}`, title: '', summary: '', free: false, translations: {} }])
            }}
          >
            <Trans>Add lesson</Trans>
          </Button>
        )
      }
    >
      {lessons.length === 0 && (
        <p>
          <Trans>A course or a series has lessons, each with a video of its own.</Trans>
        </p>
      )}
      <UploadState upload={upload} />
      <form className={styles.options} onSubmit={onSubmit(() => save.send(lessons))}>
        {lessons.map((lesson, at) => {
          const { key, id } = lesson
          const title = lesson.title || t`New lesson`
          return (
            <fieldset key={key} className={styles.lesson}>
              <legend className={styles.legend}>
                {at + 1}. <bdi>{title}</bdi>
              </legend>
              {isAllowed && <PartButtons title={title} items={lessons} at={at} onChange={edit} />}
              <LessonFields
                lesson={lesson}
                path={`lessons.${at}`}
                errors={save.failure?.fields ?? {}}
                onChange={(part) => edit(lessons.with(at, { ...lesson, ...part }))}
              />
              {id ? (
                <LessonVideo
                  title={title}
                  seconds={secondsOf(id)}
                  {...(may('videos:write') &&
                    upload.fraction === null && { onChoose: (file: File) => upload.begin(file, id) })}
                />
              ) : (
                <p className={styles.when}>
                  <Trans>Save the lesson, then upload its video.</Trans>
                </p>
              )}
            </fieldset>
          )
        })}
        {removed.length > 0 && (
          <Notice tone="warning">
            <Trans>The videos of removed lessons are deleted when you save, and buyers lose them.</Trans>
          </Notice>
        )}
        <WriteRefusal failure={save.failure} queryKey={['product-parts', code]} onLoaded={save.reset} />
        {isAllowed && (lessons.length > 0 || isDirty) && (
          <div className={form.buttons}>
            <Button type="submit" variant="primary" loading={save.isPending}>
              <Trans>Save lessons</Trans>
            </Button>
          </div>
        )}
      </form>
      <UnsavedChanges when={isDirty} />
    </Section>
  )
}
