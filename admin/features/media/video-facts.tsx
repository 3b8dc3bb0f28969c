import { Trans, useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import type { StoreVideo } from '#contract/admin/videos.ts'
import { DescriptionList } from '~/ui/card'
import { useFormat } from '../../platform/format'
import { Section } from '../../ui/page'
import { videoJobStatuses } from '../../ui/product-labels'
import { StatusBadge } from '../../ui/status'
import { JobReason } from './job-reason'

/** A product or lesson that shows a video, with a link to its product. */
export function VideoUse({ use: { productCode, lessonId, title } }: { use: StoreVideo['shownBy'][number] }) {
  return (
    <div>
      <Link to="/products/$code" params={{ code: productCode }}>
        <bdi>{title}</bdi>
      </Link>{' '}
      {lessonId && <span dir="ltr">({productCode})</span>}
    </div>
  )
}

/** The facts of a video: its file, its size, how its encoding went, and what shows it. */
export function VideoFacts({ video }: { video: StoreVideo }) {
  const { t } = useLingui()
  const { dateTime, duration, fileSize } = useFormat()
  const { job, durationSeconds, width, height, bytes, createdAt, shownBy } = video
  return (
    <Section title={<Trans>Video</Trans>}>
      <DescriptionList
        rows={[
          ...(job ? [{ key: 'file', term: t`File`, value: <bdi>{job.file.name}</bdi> }] : []),
          { key: 'length', term: t`Length`, value: duration(Math.round(durationSeconds)) },
          ...(width !== null && height !== null
            ? [{ key: 'resolution', term: t`Resolution`, value: <span dir="ltr">{`${width} × ${height}`}</span> }]
            : []),
          ...(bytes !== null ? [{ key: 'size', term: t`Size`, value: fileSize(bytes) }] : []),
          ...(job
            ? [
                {
                  key: 'encoding',
                  term: t`Encoding`,
                  value: (
                    <>
                      <StatusBadge status={videoJobStatuses[job.status]} />
                      {job.why && <JobReason job={job} />}
                    </>
                  ),
                },
              ]
            : []),
          { key: 'added', term: t`Added`, value: dateTime(createdAt) },
          {
            key: 'shown',
            term: t`Shown by`,
            value:
              shownBy.length === 0
                ? t`Nothing`
                : shownBy.map(({ productCode, lessonId, title }) => (
                    <VideoUse key={`${productCode} ${lessonId}`} use={{ productCode, lessonId, title }} />
                  )),
          },
        ]}
      />
    </Section>
  )
}
