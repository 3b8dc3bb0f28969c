import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import type { DomainState, DomainView } from '#contract/admin/domains.ts'
import { Button } from '~/ui/button'
import { Badge } from '~/ui/chip'
import { CopyButton } from '~/ui/copy-button'
import { useAdminApi } from '../../platform/admin-api'
import { useFormat } from '../../platform/format'
import { useMay } from '../../platform/session'
import { useWrite } from '../../platform/use-write'
import { useConfirm } from '../../ui/confirm'
import form from '../../ui/form.module.css'
import { StatusBadge, type Statuses } from '../../ui/status'
import styles from './domains.module.css'
import { domainChanges } from './store.queries'

const states = {
  WAITING: { label: msg`Waiting for DNS`, tone: 'warning' },
  POINTING: { label: msg`Pointing here`, tone: 'info' },
  IN_USE: { label: msg`In use by another store`, tone: 'danger' },
  VERIFIED: { label: msg`Verified`, tone: 'success' },
} as const satisfies Statuses<DomainState>

function Explanation({ domain: { state, verifiedBy, pointsHere, records } }: { domain: DomainView }) {
  const addressIsShown = records.some(({ type }) => type === 'CNAME')
  if (state === 'IN_USE')
    return <Trans>Another store of this installation is shown there. It has to be removed there first.</Trans>
  if (state === 'POINTING')
    return <Trans>The domain leads here. Add the TXT record, which proves that the domain is yours.</Trans>
  if (state === 'WAITING')
    return addressIsShown ? (
      <Trans>
        Add both records where you manage the DNS of the domain. It can take some hours until they are seen.
      </Trans>
    ) : (
      <Trans>
        Add the record where you manage the DNS of the domain, and point the domain to this installation: its
        administrator knows the address. It can take some hours until both are seen.
      </Trans>
    )
  if (pointsHere === false)
    return <Trans>The domain is yours, but it does not lead here yet, so visitors do not reach the store.</Trans>
  return verifiedBy === 'ADMINISTRATOR' ? (
    <Trans>Set up by the administrator of the installation.</Trans>
  ) : (
    <Trans>The store is shown there.</Trans>
  )
}

type DomainRecord = DomainView['records'][number]

function RecordFields({ record: { type, name, value }, host }: { record: DomainRecord; host: string }) {
  const { t } = useLingui()
  const copy = { copy: t`Copy`, copied: t`Copied` }
  return (
    <div className={styles.record}>
      <dl className={styles.fields}>
        <div className={styles.field}>
          <dt>
            <Trans>Type</Trans>
          </dt>
          <dd dir="ltr">{type}</dd>
        </div>
        <div className={styles.field}>
          <dt>
            <Trans>Name</Trans>
          </dt>
          <dd dir="ltr">
            <code>{name}</code>
          </dd>
          <dd>
            <CopyButton text={name} labels={{ ...copy, what: t`Copy the name of the ${type} record of ${host}` }} />
          </dd>
        </div>
        <div className={styles.field}>
          <dt>
            <Trans>Value</Trans>
          </dt>
          <dd dir="ltr">
            <code>{value}</code>
          </dd>
          <dd>
            <CopyButton text={value} labels={{ ...copy, what: t`Copy the value of the ${type} record of ${host}` }} />
          </dd>
        </div>
      </dl>
      {type === 'CNAME' && (
        <p className={styles.text}>
          <Trans>
            A domain without a name in front, such as example.com, cannot have a CNAME record: use ALIAS or ANAME, or an
            A record with the IP address of {value}.
          </Trans>
        </p>
      )}
    </div>
  )
}

interface DomainItemProps {
  domain: DomainView
  /** Whether the store is shown at no other domain. */
  isLast: boolean
}

function Actions({ domain: { host, state, isMain }, isLast }: DomainItemProps) {
  const { t } = useLingui()
  const { domains } = useAdminApi().admin
  const options = { changes: domainChanges, notifiesFailure: true }
  const check = useWrite(() => domains.check({ host }), { ...options, done: t`${host} was checked` })
  const setMain = useWrite(() => domains.setMain({ host }), { ...options, done: t`${host} is the main domain` })
  const remove = useWrite(() => domains.remove({ host }), { ...options, done: t`${host} was removed` })
  const isShown = location.hostname === host
  const confirm = useConfirm({
    title: t`Remove ${host}?`,
    text: (
      <p>
        {state !== 'VERIFIED' ? (
          <Trans>The store forgets the domain.</Trans>
        ) : isShown ? (
          <Trans>Visitors no longer see the store there. You are using this address now: go on at another one.</Trans>
        ) : (
          <Trans>Visitors no longer see the store there. Links to it stop working.</Trans>
        )}
      </p>
    ),
    action: t`Remove`,
    word: host,
    onConfirm: () => remove.sendAsync(undefined),
  })
  return (
    <div className={form.buttons}>
      <Button
        size="s"
        loading={check.isPending}
        aria-label={t`Check now: ${host}`}
        onClick={() => check.send(undefined)}
      >
        <Trans>Check now</Trans>
      </Button>
      {state === 'VERIFIED' && !isMain && (
        <Button
          size="s"
          loading={setMain.isPending}
          aria-label={t`Make main: ${host}`}
          onClick={() => setMain.send(undefined)}
        >
          <Trans>Make main</Trans>
        </Button>
      )}
      {isLast ? (
        <span className={styles.text}>
          <Trans>The only address of the store cannot be removed.</Trans>
        </span>
      ) : (
        <Button size="s" aria-label={t`Remove: ${host}`} onClick={confirm.ask}>
          <Trans>Remove</Trans>
        </Button>
      )}
      {confirm.dialog}
    </div>
  )
}

/** A domain of the store: its state, what its DNS still needs, and what can be done. */
export function DomainItem({ domain, isLast }: DomainItemProps) {
  const { t } = useLingui()
  const { dateTime } = useFormat()
  const isAllowed = useMay()('store:write')
  const { host, origin, state, isMain, checkedAt, answered, records } = domain
  return (
    <li className={styles.domain}>
      <div className={styles.head}>
        <bdi className={styles.host}>{state === 'VERIFIED' ? <a href={origin}>{host}</a> : host}</bdi>
        <StatusBadge status={states[state]} />
        {isMain && <Badge tone="accent">{t`Main`}</Badge>}
      </div>
      <p className={styles.text}>
        <Explanation domain={domain} />
      </p>
      {records.map((record) => (
        <RecordFields key={record.type} record={record} host={host} />
      ))}
      {checkedAt && (
        <p className={styles.text}>
          {answered ? (
            <Trans>Checked {dateTime(checkedAt)}</Trans>
          ) : (
            <Trans>The name server did not answer {dateTime(checkedAt)}. What is shown is from before.</Trans>
          )}
        </p>
      )}
      {isAllowed && <Actions domain={domain} isLast={isLast} />}
    </li>
  )
}
