import { Trans } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import type { Home as HomeFigures } from '#contract/admin/home.ts'
import { Notice } from '~/ui/notice'
import { useFormat } from '../../platform/format'
import styles from './home.module.css'

/** Says that fewer buyers than usual finish their payment. */
function LowConversion({ now, usual }: NonNullable<HomeFigures['waiting']['lowConversion']>) {
  const { percent } = useFormat()
  return (
    <Notice tone="warning">
      <p>
        <Trans>
          {percent(now)} of the checkouts of the last seven days were paid, {percent(usual)} in the four weeks before.
          Try to buy something yourself, and look at the payment provider.
        </Trans>
      </p>
    </Notice>
  )
}

/** Says that the emails of the store wait for its mail server. */
function MailServerOutage({ since, reason }: NonNullable<HomeFigures['waiting']['mailServer']>) {
  const { dateTime } = useFormat()
  return (
    <Notice tone="danger">
      <p>
        <Trans>
          The mail server of the store has taken no emails since {dateTime(since)}: <bdi>{reason}</bdi>
        </Trans>
      </p>
      <p>
        <Link to="/store/mail-server" className={styles.task}>
          <Trans>Mail server</Trans>
        </Link>
      </p>
    </Notice>
  )
}

/** What is wrong with the store, where anything is. */
export const HomeNotices = ({ mailServer, lowConversion }: HomeFigures['waiting']) => (
  <>
    {mailServer && <MailServerOutage {...mailServer} />}
    {lowConversion && <LowConversion {...lowConversion} />}
  </>
)
