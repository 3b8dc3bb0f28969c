import { Trans } from '@lingui/react/macro'
import { useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { OrderCode } from '#contract/ids.ts'
import { leftToRight } from '~/platform/format/use-format'
import { Button } from '~/ui/button'
import { Icon } from '~/ui/icon'
import { ScriptOnly } from '~/ui/visibility'
import { receiptQuery } from '../orders.queries'
import { PdfLink } from './pdf-link'
import { Receipt } from './receipt'
import styles from './receipt.module.css'

/** The receipt by itself. Printing the page prints the receipt alone. */
export function ReceiptPage({ code }: { code: OrderCode }) {
  const { data: receipt } = useSuspenseQuery(receiptQuery(code))
  return (
    <div className={styles.page}>
      <header className={styles.bar}>
        <Link className={styles.back} to="/mypages/order-histories/$code" params={{ code }}>
          <Icon name="arrow-start" size="s" />
          <Trans>Order {leftToRight(code)}</Trans>
        </Link>
        <div className={styles.actions}>
          <ScriptOnly>
            <Button icon="receipt" onClick={() => window.print()}>
              <Trans>Print</Trans>
            </Button>
          </ScriptOnly>
          <PdfLink code={code} />
        </div>
      </header>
      <Receipt receipt={receipt} />
    </div>
  )
}
