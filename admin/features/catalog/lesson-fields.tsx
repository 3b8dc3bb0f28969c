import { Trans, useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import * as z from 'zod/mini'
import type { StoreProductParts } from '#contract/admin/products.ts'
import { lessonId, type ProductCode, type VideoId } from '#contract/ids.ts'
import type { VideoJob } from '#contract/media.ts'
import { Button } from '~/ui/button'
import { Badge } from '~/ui/chip'
import { Checkbox } from '~/ui/choice'
import { useFormat } from '../../platform/format'
import { FileButton } from '../../ui/file-button'
import form from '../../ui/form.module.css'
import { videoJobStatuses } from '../../ui/product-labels'
import { TextArea, TextField } from '../../ui/text-field'
import { TranslatedFields, textsByLanguage } from '../../ui/translated-fields'
import styles from './products.module.css'

/** A lesson as the form has it; without an id until it is saved. */
export const editedLessons = z.array(
  z.object({
    key: z.string(),
    id: z.exactOptional(lessonId),
    title: z.string(),
    summary: z.string(),
    free: z.boolean(),
    translations: textsByLanguage(['title', 'summary']),
  }),
)
export type EditedLesson = z.output<typeof editedLessons>[number]

export const editedLesson = ({
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

/** The texts of a lesson, and who may watch it. */
export function LessonFields({ lesson, onChange, errors, path }: LessonFieldsProps) {
  const { t } = useLingui()
  const { title, summary, free, translations } = lesson
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
      <TextArea
        label={t`Summary`}
        rows={2}
        value={summary}
        onChange={({ target }) => onChange({ summary: target.value })}
        maxLength={2000}
        error={errors[`${path}.summary`]}
      />
      <TranslatedFields
        texts={[
          { name: 'title', label: t`Title`, own: title, maxLength: 300 },
          { name: 'summary', label: t`Summary`, own: summary, maxLength: 2000, rows: 2 },
        ]}
        values={translations}
        onChange={(changed) => onChange({ translations: changed })}
        errors={errors}
        path={`${path}.`}
      />
      <Checkbox
        label={t`Anyone may watch it`}
        checked={free}
        onChange={({ target }) => onChange({ free: target.checked })}
      />
    </>
  )
}

interface LessonVideoProps {
  title: string
  seconds: number | null
  /** Null without one, and for who may not see videos. */
  videoId: VideoId | null
  product: ProductCode
  /** The latest one of the lesson. */
  job: VideoJob | undefined
  onChoose?: (file: File) => void
  /** Chooses a video of the store. */
  onShare?: () => void
}

/** The video of one lesson: its length or its encoding, and the button that uploads another one. */
export function LessonVideo({ title, seconds, videoId, product, job, onChoose, onShare }: LessonVideoProps) {
  const { t, i18n } = useLingui()
  const { duration, percent } = useFormat()
  const { label, tone } = job ? videoJobStatuses[job.status] : {}
  return (
    <div className={form.buttons}>
      <span className={styles.when}>
        {seconds === null ? <Trans>There is no video yet.</Trans> : <Trans>Length: {duration(seconds)}</Trans>}
        {job && label && job.status !== 'READY' && (
          <>
            {' '}
            <Badge tone={tone}>
              {i18n._(label)}
              {job.status === 'RUNNING' && ` ${percent(job.percent / 100)}`}
            </Badge>
          </>
        )}
      </span>
      {videoId !== null && (
        <Button
          size="s"
          aria-label={t`Captions and chapters of: ${title}`}
          render={<Link to="/videos/$id" params={{ id: videoId }} search={{ product }} />}
        >
          <Trans>Captions and chapters</Trans>
        </Button>
      )}
      {onChoose && (
        <FileButton size="s" accept="video/*,.mkv" label={t`Upload the video of: ${title}`} onChoose={onChoose}>
          {seconds === null ? <Trans>Upload a video</Trans> : <Trans>Replace the video</Trans>}
        </FileButton>
      )}
      {onShare && (
        <Button size="s" aria-label={t`Choose from the library: ${title}`} onClick={onShare}>
          <Trans>Choose from the library</Trans>
        </Button>
      )}
    </div>
  )
}
