import { Trans, useLingui } from '@lingui/react/macro'
import { useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Button } from '~/ui/button'
import { EmptyState } from '~/ui/empty-state'
import { Notice } from '~/ui/notice'
import { SectionHeading } from '~/ui/section-heading'
import { cardProblem } from '../card-problems'
import { cardsQuery } from '../cards.queries'
import type { CardsSearch } from '../cards.search'
import { useCardWrites } from '../use-card-writes'
import { CardRow } from './card-row'
import styles from './cards-page.module.css'
import { RegisterForm } from './register-form'
import { ReturnedCard } from './returned-card'

interface Props {
  attempt: string
  search: CardsSearch
}

/** The member's cards: what they are, which one pays, and what can be done with each. */
export function CardsPage({ attempt: firstAttempt, search }: Props) {
  const { t, i18n } = useLingui()
  const { data } = useSuspenseQuery(cardsQuery)
  const writes = useCardWrites(firstAttempt)
  const problem = writes.problem ?? search.problem
  const cards = data.items
  return (
    <div>
      <SectionHeading
        level="h1"
        title={<Trans>Payment methods</Trans>}
        text={<Trans>Your cards are stored by our payment provider. We only see the last four digits.</Trans>}
      />
      {search.card && <ReturnedCard id={search.card} />}
      {problem && (
        <Notice tone="danger" urgent>
          {i18n._(cardProblem(problem))}
          {problem === 'BUYER_DETAILS_MISSING' && (
            <>
              {' '}
              <Link className={styles.link} to="/mypages/profile">
                <Trans>Edit profile</Trans>
              </Link>
            </>
          )}
        </Notice>
      )}
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
            <RegisterForm attempt={writes.attempt} onRegister={() => writes.register(undefined)}>
              <Button type="submit" variant="primary" icon="plus" loading={writes.registering === null}>
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
                writes={writes}
              />
            ))}
          </ul>
          <RegisterForm attempt={writes.attempt} onRegister={() => writes.register(undefined)}>
            <Button type="submit" icon="plus" loading={writes.registering === null} disabled={writes.busy}>
              <Trans>Add another card</Trans>
            </Button>
          </RegisterForm>
        </>
      )}
    </div>
  )
}
