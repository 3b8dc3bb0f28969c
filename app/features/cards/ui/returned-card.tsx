import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect } from 'react'
import type { CardId } from '#contract/ids.ts'
import { usePaymentFailure } from '~/features/checkout/use-payment-failure'
import { Button, Spinner } from '~/ui/button'
import { Notice } from '~/ui/notice'
import { cardsQuery, returnedCardQuery } from '../cards.queries'
import { useCardWords } from '../use-card-words'
import styles from './cards-page.module.css'

/** What came of the card that was registered on the provider's page. */
export function ReturnedCard({ id }: { id: CardId }) {
  const { t } = useLingui()
  const failure = usePaymentFailure()
  const words = useCardWords()
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
      {card ? <Trans>{words.spoken(card)} was added.</Trans> : <Trans>Card added.</Trans>}{' '}
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
