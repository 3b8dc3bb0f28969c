import { Trans } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import type { Home } from '#contract/admin/home.ts'
import { Notice } from '~/ui/notice'
import { useFormat } from '../../platform/format'
import styles from './home.module.css'

/** Says that the emails of the store wait for its mail server. */
export function MailServerOutage({ since, reason }: NonNullable<Home['waiting']['mailServer']>) {
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
