import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import type { Subscription } from '#contract/plans.ts'
import { useCardWords } from '~/features/cards/use-card-words'
import { useFormat } from '~/platform/format/use-format'
import { storeText } from '~/platform/i18n/store-text'
import { Badge } from '~/ui/badge'
import { Button } from '~/ui/button'
import { Card } from '~/ui/card'
import { DescriptionList } from '~/ui/description-list'
import { inTrial, standingWords } from '../subscription-words'
import { usePlanWords } from '../use-plan-words'
import styles from './subscription-page.module.css'

/** Which plan it is, what is charged next, when and to which card. */
export function SubscriptionFacts({ subscription }: { subscription: Subscription }) {
  const { t, i18n } = useLingui()
  const format = useFormat()
  const words = usePlanWords()
  const cardWords = useCardWords()
  const { plan, nextCharge, card, periodStart, periodEnd, startedAt, trialEndsAt } = subscription
  const standing = standingWords(subscription)
  const rows = [
    { key: 'price', term: t`Price`, value: words.price(subscription.price, subscription.cycle) },
    {
      key: 'next',
      term: t`Next payment`,
      value: nextCharge ? (
        <strong>
          <Trans>
            {format.money(nextCharge.amount)} on {format.date(nextCharge.at)}
          </Trans>
        </strong>
      ) : (
        t`You won’t be charged again.`
      ),
    },
    ...(trialEndsAt && inTrial(subscription)
      ? [{ key: 'trial', term: t`Free until`, value: format.date(trialEndsAt) }]
      : periodStart && periodEnd
        ? [
            {
              key: 'period',
              term: t({ message: 'Paid for', context: 'a period' }),
              value: t`${format.date(periodStart)} to ${format.date(periodEnd)}`,
            },
          ]
        : []),
    ...(startedAt ? [{ key: 'since', term: t`Subscriber since`, value: format.date(startedAt) }] : []),
    {
      key: 'card',
      term: t`Card`,
      value: (
        <span className={styles.cardLine}>
          {card ? cardWords.spoken(card) : t`No card`}
          {card && card.expiry !== 'GOOD' && (
            <Badge tone={card.expiry === 'PAST' ? 'danger' : 'warning'} icon="warning">
              {card.expiry === 'PAST' ? t`Expired` : t`Expires soon`}
            </Badge>
          )}
          <Link className={styles.link} to="/mypages/cards">
            <Trans>Change</Trans>
          </Link>
        </span>
      ),
    },
  ]
  return (
    <Card className={styles.facts}>
      <div className={styles.top}>
        <h2 className={styles.name} dir="auto">
          {storeText(plan, 'name')}
        </h2>
        <Badge tone={standing.tone}>{i18n._(standing.label)}</Badge>
      </div>
      <DescriptionList rows={rows} />
      <Button size="s" icon="play" render={<Link to="/plans/subscription-products" />}>
        <Plural value={plan.productCount} one="View # included title" other="View # included titles" />
      </Button>
    </Card>
  )
}
