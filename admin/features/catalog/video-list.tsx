import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { videoJobStatus } from '#contract/enumerations.ts'
import { Badge } from '~/ui/chip'
import { useAdminApi } from '../../platform/admin-api'
import { useFormat } from '../../platform/format'
import { useMay } from '../../platform/session'
import { DataList } from '../../ui/data-list'
import { ChoiceField, Filters } from '../../ui/filters'
import { Page } from '../../ui/page'
import { videoJobStatuses } from '../../ui/product-labels'
import { Loaded } from '../../ui/states'
import { statusChoices } from '../../ui/status'
import { JobActions, JobTarget } from '../media/job-actions'
import { JobReason } from '../media/job-reason'
import { VideoTabs } from '../media/video-library'
import { allVideoJobsQuery } from '../media/videos.queries'

const route = getRouteApi('/videos')

/** Every video of the store that is encoded or was, latest first. */
export function VideoList() {
  const { t, i18n } = useLingui()
  const { dateTime, percent } = useFormat()
  const may = useMay()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const jobs = useQuery(allVideoJobsQuery(useAdminApi(), search))
  return (
    <Page title={t`Videos`}>
      <VideoTabs />
      <Filters>
        <ChoiceField
          label={t`Status`}
          value={search.status}
          choices={statusChoices(i18n, videoJobStatus.options, videoJobStatuses)}
          onChange={(status) => void navigate({ search: { status }, replace: true })}
        />
      </Filters>
      <Loaded query={jobs}>
        {({ items }) => (
          <DataList
            label={t`Videos`}
            items={items}
            keyOf={({ id }) => id}
            empty={
              search.status ? (
                <Trans>No video has this status.</Trans>
              ) : (
                <Trans>Upload videos in the library, or on the page of their product.</Trans>
              )
            }
            columns={[
              {
                key: 'product',
                header: t`Product`,
                cell: (job) => (
                  <>
                    <JobTarget job={job} /> {job.lesson !== null && <Trans>(lesson {job.lesson})</Trans>}
                  </>
                ),
              },
              {
                key: 'status',
                header: t`Status`,
                cell: (job) => (
                  <Badge tone={videoJobStatuses[job.status].tone}>
                    {i18n._(videoJobStatuses[job.status].label)}
                    {job.status === 'RUNNING' && ` ${percent(job.percent / 100)}`}
                  </Badge>
                ),
              },
              { key: 'file', isText: true, header: t`File`, isExtra: true, cell: ({ file }) => <bdi>{file.name}</bdi> },
              { key: 'why', isText: true, header: t`Reason`, cell: (job) => (job.why ? <JobReason job={job} /> : '–') },
              { key: 'date', header: t`Date`, isExtra: true, cell: ({ createdAt }) => dateTime(createdAt) },
              {
                key: 'action',
                header: t`Action`,
                atEnd: true,
                cell: (job) => (may('videos:write') ? <JobActions job={job} /> : null),
              },
            ]}
          />
        )}
      </Loaded>
    </Page>
  )
}
