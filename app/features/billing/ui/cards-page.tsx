import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect } from 'react'
import type { CardId } from '#contract/ids.ts'
import { PaymentProblem, usePaymentFailure } from '~/parts/refusal'
import { refusalMessages } from '~/platform/api/failures'
import { Button, Spinner } from '~/ui/button'
import { EmptyState } from '~/ui/empty-state'
import { Notice } from '~/ui/notice'
import { SectionHeading } from '~/ui/section-heading'
import { type CardsSearch, cardsQuery, returnedCardQuery, useCardLabels } from '../cards.functions'
import { useCardMutations } from '../use-card-mutations'
import { CardRow, RegisterForm } from './card-row'
import styles from './cards-page.module.css'

/** The message of a refused change of the cards, by problem code. */
const cardProblem = refusalMessages({
  byCode: {
    CARD_NEEDED: msg`This card pays for your subscription. Replace it with another card to remove it.`,
    CONFLICT: msg`You’ve reached the maximum number of cards. Remove one first.`,
    NOT_FOUND: msg`This card has already been removed.`,
    CARD_REFUSED: msg`Your bank declined this card. Try another card.`,
  },
  unreachable: msg`We can’t reach the payment service. Try again in a moment.`,
  otherwise: msg`We couldn’t update your payment methods. Try again in a moment.`,
})

/** The result of a card registration on the provider's page. */
function ReturnedCard({ id }: { id: CardId }) {
  const { t } = useLingui()
  const failure = usePaymentFailure()
  const cardLabels = useCardLabels()
  const queryClient = useQueryClient()
  const { data, error, isFetching, refetch } = useQuery(returnedCardQuery(id))
  const status = data?.status
  useEffect(() => {
    if (status === 'ACTIVE') void queryClient.invalidateQueries(cardsQuery)
  }, [status, queryClient])

  if (!data) {
    if (!error) return null
    return (
      <Notice tone="warning" urgent>
        <Trans>We couldn’t confirm whether your card was added.</Trans>{' '}
        <Button size="s" variant="ghost" loading={isFetching} onClick={() => void refetch()}>
          {t`Check again`}
        </Button>
      </Notice>
    )
  }
  if (data.status === 'FAILED') {
    return (
      <Notice tone="danger" urgent>
        <strong>
          <Trans>The card wasn’t added.</Trans>
        </strong>{' '}
        {failure(data.failure)} <Trans>You haven’t been charged.</Trans>
      </Notice>
    )
  }
  if (data.status === 'WAITING') {
    return (
      <Notice tone="info">
        <span className={styles.waiting}>
          <Spinner />
          <Trans>The payment service is still verifying your card. It will appear here when it’s ready.</Trans>
        </span>
        <noscript>
          <a href={`/mypages/cards?card=${id}`}>{t`Check again`}</a>
        </noscript>
      </Notice>
    )
  }
  const { card } = data
  return (
    <Notice tone="success">
      {card ? <Trans>{cardLabels.spoken(card)} was added.</Trans> : <Trans>Card added.</Trans>}{' '}
      {card?.paysSubscription && (
        <>
          <Trans>Your plan is now paid with this card.</Trans>{' '}
          <Link className={styles.link} to="/mypages/subscription">
            <Trans>Back to subscription</Trans>
          </Link>
        </>
      )}
    </Notice>
  )
}

interface Props {
  idempotencyKey: string
  search: CardsSearch
}

/** The member's cards with their actions. */
export function CardsPage({ idempotencyKey: firstKey, search }: Props) {
  const { t } = useLingui()
  const { data } = useSuspenseQuery(cardsQuery)
  const mutations = useCardMutations(firstKey)
  const problem = mutations.problem ?? search.problem
  const cards = data.items
  return (
    <div>
      <SectionHeading
        level="h1"
        title={<Trans>Payment methods</Trans>}
        text={<Trans>Your cards are stored by our payment provider. We only see the last four digits.</Trans>}
      />
      {search.card && <ReturnedCard id={search.card} />}
      {problem && <PaymentProblem code={problem} message={cardProblem(problem)} />}
      {!problem && search.done && (
        <Notice tone="success">
          {search.done === 'default' ? t`This is now your default card.` : t`Card removed.`}
        </Notice>
      )}
      {cards.length === 0 ? (
        <EmptyState
          icon="card"
          title={<Trans>You haven’t added a card yet.</Trans>}
          actions={
            <RegisterForm idempotencyKey={mutations.idempotencyKey} onRegister={() => mutations.register(undefined)}>
              <Button type="submit" variant="primary" icon="plus" loading={mutations.registering === null}>
                <Trans>Add a card</Trans>
              </Button>
            </RegisterForm>
          }
        >
          <Trans>Save a card and your plan renews automatically.</Trans>
        </EmptyState>
      ) : (
        <>
          <ul className={styles.list}>
            {cards.map((card) => (
              <CardRow
                key={card.id}
                card={card}
                removing={search.remove === card.id}
                removable={!card.paysSubscription || cards.length > 1}
                mutations={mutations}
              />
            ))}
          </ul>
          <RegisterForm idempotencyKey={mutations.idempotencyKey} onRegister={() => mutations.register(undefined)}>
            <Button type="submit" icon="plus" loading={mutations.registering === null} disabled={mutations.busy}>
              <Trans>Add another card</Trans>
            </Button>
          </RegisterForm>
        </>
      )}
    </div>
  )
}
