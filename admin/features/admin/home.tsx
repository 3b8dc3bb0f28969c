import { Trans, useLingui } from '@lingui/react/macro'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { Link, type LinkProps, Navigate } from '@tanstack/react-router'
import { type Home as HomeFigures, homePermissions } from '#contract/admin/home.ts'
import { homeProcedure, storeProcedures } from '#contract/procedures/admin-tenancy.ts'
import { EmptyState } from '~/ui/empty-state'
import { useClient } from '../../platform/client'
import { useFormat } from '../../platform/format'
import { lazyPart } from '../../platform/lazy-part'
import { useMay, useMe } from '../../platform/session'
import { Figure, Figures } from '../../ui/figure'
import { Page, Section } from '../../ui/page'
import { Rows } from '../../ui/rows'
import { Loaded, Loading } from '../../ui/states'
import { storeStatusQuery } from '../tenancy/store.queries'
import styles from './home.module.css'

/** What this page reads. The pages after it load the rest of the contract. */
const procedures = { admin: { home: homeProcedure, store: storeProcedures } }
const useHomeApi = () => useClient(procedures)

const homeQuery = (api: ReturnType<typeof useHomeApi>) =>
  queryOptions({ queryKey: ['home'], queryFn: () => api.admin.home() })

/** How a figure of today compares with the one of a week ago, up to the same hour. */
function WeekChange({ now, before }: { now: number; before: number }) {
  const { change } = useFormat()
  return before === 0 ? <Trans>None a week ago</Trans> : <Trans>{change(now / before - 1)} on a week ago</Trans>
}

/** What waits for a person: only what there is, each a link to where it is done. */
const useWaiting = ({ waiting }: HomeFigures) => {
  const { t } = useLingui()
  const rows: { count: number | null; label: string; link: LinkProps }[] = [
    {
      count: waiting.refundRequests,
      label: t`Refund requests`,
      link: { to: '/orders', search: { status: 'CANCEL_REQUEST' } },
    },
    {
      count: waiting.deposits,
      label: t`Orders awaiting a deposit`,
      link: { to: '/deposits' },
    },
    {
      count: waiting.refundsToTransfer,
      label: t`Refunds to transfer`,
      link: { to: '/deposits' },
    },
    {
      count: waiting.unappliedPayments,
      label: t`Unapplied payments`,
      link: { to: '/deposits' },
    },
    {
      count: waiting.inquiries,
      label: t`Inquiries`,
      link: { to: '/inquiries' },
    },
    { count: waiting.cases, label: t`Cases`, link: { to: '/cases' } },
    {
      count: (waiting.heldComments ?? 0) + (waiting.reportedComments ?? 0),
      label: t`Comments to review`,
      link: { to: '/comments' },
    },
    {
      count: waiting.failedVideos,
      label: t`Videos that could not be encoded`,
      link: { to: '/videos', search: { status: 'FAILED' } },
    },
    {
      count: waiting.failedMails,
      label: t`Failed emails`,
      link: { to: '/mails', search: { status: 'FAILED' } },
    },
    {
      count: waiting.overdueSubscriptions,
      label: t`Overdue subscriptions`,
      link: { to: '/subscriptions', search: { state: 'OVERDUE' } },
    },
    {
      count: waiting.disabledWebhooks,
      label: t`Disabled webhooks`,
      link: { to: '/webhooks' },
    },
  ]
  // Null is what the person may not read.
  return rows.flatMap(({ count, ...row }) => (count ? [{ ...row, count }] : []))
}

const HomeNotices = lazyPart(async () => ({ default: (await import('./home-notices')).HomeNotices }))

const HomeTrends = lazyPart(async () => ({ default: (await import('../analytics/home-trends')).HomeTrends }))

function TodayFigures({ home }: { home: HomeFigures }) {
  const { t } = useLingui()
  const { money, number } = useFormat()
  const may = useMay()
  const { today, weekAgo, waiting: waitingFor } = home
  const waiting = useWaiting(home)
  return (
    <>
      {today && weekAgo && (
        <Figures label={t`Today`}>
          <Figure
            label={t`Revenue today`}
            value={money(today.revenue)}
            change={<WeekChange now={today.revenue.amount} before={weekAgo.revenue.amount} />}
          />
          <Figure
            label={t`Orders today`}
            value={number(today.orders)}
            change={<WeekChange now={today.orders} before={weekAgo.orders} />}
          />
          <Figure
            label={t`New members today`}
            value={number(today.members)}
            change={<WeekChange now={today.members} before={weekAgo.members} />}
          />
        </Figures>
      )}
      {may('analytics:read') && (
        <p>
          <Link to="/analytics" search={{ days: '7' }} className={styles.task}>
            <Trans>Analytics of the last seven days</Trans>
          </Link>
        </p>
      )}
      {(waitingFor.mailServer || waitingFor.lowConversion) && <HomeNotices {...waitingFor} />}
      <Section title={<Trans>Waiting for you</Trans>}>
        {waiting.length === 0 ? (
          <EmptyState icon="check" compact headingLevel="h3" title={<Trans>Nothing to do</Trans>} />
        ) : (
          <Rows
            items={waiting.map(({ label, count, link }) => ({
              key: label,
              title: (
                <Link {...link} className={styles.task}>
                  {label}
                </Link>
              ),
              end: number(count),
            }))}
          />
        )}
      </Section>
      {may('orders:read') && <HomeTrends />}
    </>
  )
}

const StorePage = lazyPart(async () => ({ default: (await import('../tenancy/store-page')).StorePage }), {
  waiting: Loading,
})

/** Whether the first screen has anything for the person. */
const useHasHome = () => {
  const may = useMay()
  return Object.values(homePermissions).some((permission) => may(permission))
}

/** The launch checklist of a store that is not open yet, and else today's figures. */
export function Home() {
  const { t } = useLingui()
  const may = useMay()
  const { isInstallation } = useMe()
  const api = useHomeApi()
  const hasHome = useHasHome()
  const status = useQuery({ ...storeStatusQuery(api), enabled: may('settings:read') })
  // Read beside the state of the store, which decides whether they are shown.
  useQuery({ ...homeQuery(api), enabled: status.isLoading && !isInstallation && hasHome })
  if (isInstallation) return <Navigate to="/stores" replace />
  if (status.isLoading)
    return (
      <Page title={t`Home`}>
        <Loading />
      </Page>
    )
  // A store that is closed for a while has orders and members.
  if (status.data?.state !== 'COMING_SOON' || status.data.maintenance !== null) return <Today />
  return <StorePage isHome />
}

/** Today beside last week, and what waits for a person. */
function Today() {
  const { t } = useLingui()
  const api = useHomeApi()
  const hasHome = useHasHome()
  // Also what nothing tells of, such as the end of the day.
  const home = useQuery({ ...homeQuery(api), enabled: hasHome, refetchInterval: 60_000 })
  return (
    <Page title={t`Home`}>
      {hasHome ? (
        <Loaded query={home}>{(figures) => <TodayFigures home={figures} />}</Loaded>
      ) : (
        <EmptyState icon="home" title={<Trans>Choose an area in the menu</Trans>} />
      )}
    </Page>
  )
}
