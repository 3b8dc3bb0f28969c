import { Trans, useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { useMay } from '../platform/session'
import styles from './history-link.module.css'

interface HistoryLinkProps {
  /** The object, as the audit log names it. */
  subject: string
  /** What it is called. */
  name: string
}

/** Leads to the history of an object that has no page of its own, for those who may read it. */
export function HistoryLink({ subject, name }: HistoryLinkProps) {
  const { t } = useLingui()
  if (!useMay()('audit:read')) return null
  return (
    <Link to="/audit" search={{ subject }} className={styles.link} aria-label={t`History of ${name}`}>
      <Trans>History</Trans>
    </Link>
  )
}
