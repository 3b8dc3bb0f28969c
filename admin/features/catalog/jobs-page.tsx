import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { changeTopics } from '#contract/admin/changes.ts'
import type { VideoJob } from '#contract/media.ts'
import { Badge } from '~/ui/chip'
import { ProgressBar } from '~/ui/progress'
import { useAdminApi } from '../../platform/admin-api'
import { useFormat } from '../../platform/format'
import { useMay } from '../../platform/session'
import { useUploads } from '../../platform/uploads'
import { actorName } from '../../ui/audit-text'
import { Page, Section } from '../../ui/page'
import { videoJobStatuses } from '../../ui/product-labels'
import { Rows } from '../../ui/rows'
import { Loaded } from '../../ui/states'
import { BulkSection } from '../admin/bulk-section'
import { JobActions, JobTarget } from '../media/job-actions'
import { JobReason } from '../media/job-reason'
import { UploadRows } from '../media/upload-rows'
import { isUnderWay, latestVideoJobsQuery } from '../media/videos.queries'
import { PastImports } from './past-imports'
import { TableJobs } from './table-jobs'

function Uploads() {
  const uploads = useUploads()
  return (
    <Section title={<Trans>Uploads</Trans>}>
      {uploads.length === 0 ? (
        <p>
          <Trans>This tab uploads nothing. Uploads of videos and files are shown here and below every page.</Trans>
        </p>
      ) : (
        <UploadRows uploads={uploads} />
      )}
    </Section>
  )
}

function EncodingState({ job }: { job: VideoJob }) {
  const { t } = useLingui()
  const { dateTime, duration, percent } = useFormat()
  const { status, secondsLeft, why, createdAt, endedAt } = job
  return (
    <>
      {status === 'RUNNING' ? (
        <>
          <ProgressBar fraction={job.percent / 100} label={t`Encoding of ${job.file.name}`} />
          {percent(Math.floor(job.percent) / 100)}
          {secondsLeft !== null && (
            <>
              {' · '}
              <Trans>{duration(secondsLeft)} left</Trans>
            </>
          )}
        </>
      ) : (
        dateTime(endedAt ?? createdAt)
      )}
      {' · '}
      <bdi>{actorName(job.by)}</bdi>
      {why && <JobReason job={job} />}
    </>
  )
}

function Encodings() {
  const { i18n } = useLingui()
  const isAllowed = useMay()('videos:write')
  const jobs = useQuery(latestVideoJobsQuery(useAdminApi()))
  return (
    <Section
      title={<Trans>Encoding</Trans>}
      actions={
        <Link to="/videos">
          <Trans>All videos</Trans>
        </Link>
      }
    >
      <Loaded query={jobs}>
        {({ items }) => (
          <Rows
            empty={<Trans>Nothing yet.</Trans>}
            // What is under way comes before what has ended lately.
            items={items
              .toSorted((one, other) => Number(isUnderWay(other)) - Number(isUnderWay(one)))
              .map((job) => ({
                key: job.id,
                title: (
                  <>
                    <bdi>{job.file.name}</bdi> <JobTarget job={job} />{' '}
                    <Badge tone={videoJobStatuses[job.status].tone}>{i18n._(videoJobStatuses[job.status].label)}</Badge>
                  </>
                ),
                detail: <EncodingState job={job} />,
                end: isAllowed && <JobActions job={job} />,
              }))}
          />
        )}
      </Loaded>
    </Section>
  )
}

/** Long work of the store that the person may see: what is under way, and what has ended lately. */
export function JobsPage() {
  const { t } = useLingui()
  const may = useMay()
  return (
    <Page title={t`Jobs`}>
      {may('videos:write') && <Uploads />}
      {may('videos:read') && <Encodings />}
      {changeTopics.bulk.some(may) && <BulkSection />}
      {changeTopics.tables.some(may) && <TableJobs />}
      {may('products:read') && <PastImports />}
    </Page>
  )
}
