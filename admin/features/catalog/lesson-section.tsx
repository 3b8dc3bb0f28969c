import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useId, useState } from 'react'
import type { StoreProductParts } from '#contract/admin/products.ts'
import type { LessonId, ProductCode } from '#contract/ids.ts'
import type { VideoJob } from '#contract/media.ts'
import { Button } from '~/ui/button'
import { Notice } from '~/ui/notice'
import { useAdminApi } from '../../platform/admin-api'
import { lazyPart } from '../../platform/lazy-part'
import { useMay } from '../../platform/session'
import { useSettings } from '../../platform/settings'
import { addUploads } from '../../platform/uploads'
import { useWrite } from '../../platform/use-write'
import { WriteRefusal } from '../../ui/conflict'
import { useReorder } from '../../ui/drag-item'
import { FileButton } from '../../ui/file-button'
import { onSubmit } from '../../ui/form'
import form from '../../ui/form.module.css'
import { FormDraft, heldState } from '../../ui/form-draft'
import { Section } from '../../ui/page'
import { offeredTexts } from '../../ui/store-languages'
import { UnsavedChanges } from '../../ui/unsaved-changes'
import { videoJobsQuery } from '../media/videos.queries'
import { type EditedLesson, editedLesson, editedLessons, LessonFields, LessonVideo } from './lesson-fields'
import { DraggedPart, PartButtons, useRemoval } from './part-buttons'
import styles from './products.module.css'

const VideoChoice = lazyPart(async () => ({ default: (await import('../media/video-choice')).VideoChoice }))

/**
 * Loads the lessons again once a video of the product is encoded. Returns the jobs, latest first.
 */
const useLessonJobs = (code: ProductCode): readonly VideoJob[] => {
  const queryClient = useQueryClient()
  const jobs = useQuery({ ...videoJobsQuery(useAdminApi(), code), enabled: useMay()('videos:read') })
  const ready = jobs.data?.items.filter(({ status }) => status === 'READY').length
  useEffect(() => {
    if (ready === undefined) return
    void queryClient.invalidateQueries({ queryKey: ['product-parts', code] })
    void queryClient.invalidateQueries({ queryKey: ['product', code] })
  }, [queryClient, code, ready])
  return jobs.data?.items ?? []
}

/** The title of a lesson: the name of its file without its number, `02_The next tide.mp4`. */
const titleOf = (file: File) =>
  file.name
    .replace(/\.[^.]+$/, '')
    .replace(/^\d+[\s._-]+(?=.*\p{L})/u, '')
    .replaceAll(/[_\s]+/g, ' ')
    .trim()
    .slice(0, 300) || file.name

const byNumber = new Intl.Collator(undefined, { numeric: true })

interface LessonSectionProps {
  code: ProductCode
  parts: StoreProductParts
}

/**
 * The lessons as they are edited. `save` saves all of them in their order, and begins the uploads
 * of those that were added with a video.
 */
const useLessons = ({ code, parts }: LessonSectionProps) => {
  const { t } = useLingui()
  const api = useAdminApi()
  const newKey = useId()
  const { base: languages } = useSettings()
  const [lessons, setLessons] = useState<EditedLesson[]>(() => parts.lessons.map(editedLesson))
  const [added, setAdded] = useState(0)
  const [isDirty, setDirty] = useState(false)
  // The videos of lessons that are not saved yet, by the keys of the lessons.
  const [files, setFiles] = useState<ReadonlyMap<string, File>>(new Map())
  const edit = (changed: EditedLesson[]) => {
    setLessons(changed)
    setDirty(true)
  }
  const save = useWrite(
    () =>
      api.admin.products.changeParts(
        {
          code,
          lessons: lessons.map(({ key: _, translations, ...lesson }) => ({
            ...lesson,
            translations: offeredTexts(translations, languages),
          })),
        },
        { context: { ifMatch: parts.version } },
      ),
    {
      done: t`Lessons saved`,
      changes: [['product-parts', code], ['product', code], ['products']],
      onDone: (saved) => {
        setDirty(false)
        setFiles(new Map())
        addUploads(
          lessons.flatMap(({ key }, at) => {
            const [file, lesson] = [files.get(key), saved.lessons[at]?.id]
            return file && lesson ? [{ file, product: code, lesson }] : []
          }),
        )
      },
    },
  )
  const append = (titles: readonly string[]): EditedLesson[] => {
    const appended = titles.map((title, at) => ({
      key: `${newKey}${added + at}`,
      title,
      summary: '',
      free: false,
      translations: {},
    }))
    setAdded(added + titles.length)
    edit([...lessons, ...appended])
    return appended
  }
  const addVideos = (chosen: readonly File[]) => {
    const videos = chosen.toSorted((one, other) => byNumber.compare(one.name, other.name))
    const entries = append(videos.map(titleOf)).flatMap(({ key }, at) => {
      const video = videos[at]
      return video ? [[key, video] as const] : []
    })
    setFiles(new Map([...files, ...entries]))
  }
  /** Those whose videos buyers lose. */
  const removed = parts.lessons.filter(
    ({ id, durationSeconds }) => durationSeconds !== null && lessons.every((one) => one.id !== id),
  )
  const held = heldState(lessons, editedLessons, edit)
  const draft = <FormDraft queryKey={['product-parts', code]} part="lessons" isDirty={isDirty} held={held} />
  return { lessons, removed, edit, isDirty, files, save, add: () => void append(['']), addVideos, draft }
}

/** The lessons of a course or a series, in their order. */
export function LessonSection(props: LessonSectionProps) {
  const { code, parts } = props
  const { t } = useLingui()
  const may = useMay()
  const isAllowed = may('products:write')
  const jobs = useLessonJobs(code)
  const { lessons, removed, edit, isDirty, files, save, add, addVideos, draft } = useLessons(props)
  const storedOf = (id: LessonId) => parts.lessons.find((lesson) => lesson.id === id)
  const list = useReorder(lessons, edit, isAllowed)
  const [choosing, setChoosing] = useState<LessonId | null>(null)
  const { submit, dialog } = useRemoval({
    code,
    title: t`Delete the videos of removed lessons?`,
    action: t`Save lessons`,
    isLoss: removed.length > 0,
    save,
  })
  return (
    <Section
      title={<Trans>Lessons</Trans>}
      actions={
        isAllowed && (
          <div className={form.buttons}>
            <Button size="s" icon="plus" onClick={add}>
              <Trans>Add lesson</Trans>
            </Button>
            {may('videos:write') && (
              <FileButton size="s" accept="video/*,.mkv" onChooseMany={addVideos}>
                <Trans>Add videos</Trans>
              </FileButton>
            )}
          </div>
        )
      }
    >
      {lessons.length === 0 && (
        <p>
          <Trans>A course or a series has lessons, each with a video of its own.</Trans>
        </p>
      )}
      <form className={styles.options} onSubmit={onSubmit(submit)}>
        {isAllowed && draft}
        {lessons.map((lesson, at) => {
          const { key, id } = lesson
          const title = lesson.title || t`New lesson`
          return (
            <DraggedPart
              key={key}
              className={styles.lesson}
              at={at}
              list={list}
              title={
                <>
                  {at + 1}. <bdi>{title}</bdi>
                </>
              }
            >
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
                  seconds={storedOf(id)?.durationSeconds ?? null}
                  product={code}
                  videoId={may('videos:read') ? (storedOf(id)?.videoId ?? null) : null}
                  job={jobs.find((job) => job.lesson === parts.lessons.findIndex((one) => one.id === id) + 1)}
                  {...(may('videos:write') && {
                    onChoose: (file: File) => addUploads([{ file, product: code, lesson: id }]),
                    // The list is loaded again with the video: what is typed would be lost.
                    ...(!isDirty && { onShare: () => setChoosing(id) }),
                  })}
                />
              ) : (
                <p className={styles.when}>
                  {files.has(key) ? (
                    <Trans>
                      The video <bdi>{files.get(key)?.name}</bdi> is uploaded when you save.
                    </Trans>
                  ) : (
                    <Trans>Save the lesson, then upload its video.</Trans>
                  )}
                </p>
              )}
            </DraggedPart>
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
      {choosing && (
        <VideoChoice
          product={code}
          lessonId={choosing}
          current={storedOf(choosing)?.videoId ?? null}
          onClose={() => setChoosing(null)}
        />
      )}
      {dialog}
      <UnsavedChanges when={isDirty} />
    </Section>
  )
}
