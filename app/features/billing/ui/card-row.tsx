import { Trans, useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import type { FormEvent, ReactNode } from 'react'
import type { Card } from '#contract/billing.ts'
import type { CardId } from '#contract/ids.ts'
import { useFormat } from '~/platform/format/use-format'
import { Button } from '~/ui/button'
import { Badge } from '~/ui/chip'
import { Icon } from '~/ui/icon'
import { usePanelFocus, VisuallyHidden } from '~/ui/visibility'
import { useCardLabels } from '../cards.functions'
import type { useCardMutations } from '../use-card-mutations'
import styles from './cards-page.module.css'

interface RegisterFormProps {
  idempotencyKey: string
  /** The card that the new one replaces. */
  replaces?: CardId | undefined
  onRegister: () => void
  children: ReactNode
}

/** Opens the provider's page for a card. A real form, so it works without JavaScript. */
export function RegisterForm({ idempotencyKey, replaces, onRegister, children }: RegisterFormProps) {
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onRegister()
  }
  return (
    <form method="post" action="/mypages/cards" onSubmit={submit}>
      <input type="hidden" name="intent" value="register" />
      <input type="hidden" name="idempotencyKey" value={idempotencyKey} />
      {replaces && <input type="hidden" name="replaces" value={replaces} />}
      {children}
    </form>
  )
}

interface Props {
  card: Card
  /** Whether the removal waits for confirmation. */
  removing: boolean
  /** Whether another card can pay in its place. */
  removable: boolean
  mutations: ReturnType<typeof useCardMutations>
}

/** One card with its expiry and its actions. */
export function CardRow({ card, removing, removable, mutations }: Props) {
  const { t } = useLingui()
  const format = useFormat()
  const cardLabels = useCardLabels()
  const spoken = cardLabels.spoken(card)
  return (
    <li className={styles.row}>
      <span className={styles.mark}>
        <Icon name="card" size="m" />
      </span>
      <div className={styles.words}>
        <h2 className={styles.name}>
          <span aria-hidden>{cardLabels.name(card)}</span>
          <VisuallyHidden>{spoken}</VisuallyHidden>
        </h2>
        <p className={styles.facts}>
          {cardLabels.expiry(card) && (
            <span>
              {card.expiry === 'PAST' ? (
                <Trans>Expired {cardLabels.expiry(card)}</Trans>
              ) : (
                <Trans>Expires {cardLabels.expiry(card)}</Trans>
              )}
            </span>
          )}
          <span>
            <Trans>Added {format.date(card.createdAt)}</Trans>
          </span>
        </p>
        <p className={styles.badges}>
          {card.isDefault && (
            <Badge tone="soft" icon="check">
              <Trans>Default</Trans>
            </Badge>
          )}
          {card.paysSubscription && (
            <Badge tone="success" icon="retry">
              <Trans>Used for your plan</Trans>
            </Badge>
          )}
        </p>
        {card.expiry !== 'GOOD' && <ExpiryNotice card={card} />}
      </div>
      {removing ? (
        <ConfirmRemoval card={card} removable={removable} mutations={mutations} />
      ) : (
        <div className={styles.actions}>
          {!card.isDefault && card.expiry !== 'PAST' && (
            <IntentForm intent="default" id={card.id} onSend={() => mutations.makeDefault(card.id)}>
              <Button type="submit" size="s" variant="ghost" aria-label={t`Set as default: ${spoken}`}>
                <Trans>Set as default</Trans>
              </Button>
            </IntentForm>
          )}
          <RegisterForm
            idempotencyKey={mutations.idempotencyKey}
            replaces={card.id}
            onRegister={() => mutations.register(card.id)}
          >
            <Button
              type="submit"
              size="s"
              variant={card.expiry === 'GOOD' ? 'ghost' : 'secondary'}
              loading={mutations.registering === card.id}
              aria-label={t`Replace ${spoken}`}
            >
              <Trans>Replace</Trans>
            </Button>
          </RegisterForm>
          {removable && (
            <Button
              size="s"
              variant="ghost"
              render={
                <Link
                  to="/mypages/cards"
                  search={{ remove: card.id }}
                  resetScroll={false}
                  aria-label={t`Remove ${spoken}`}
                />
              }
            >
              <Trans>Remove</Trans>
            </Button>
          )}
        </div>
      )}
    </li>
  )
}

function ExpiryNotice({ card }: { card: Card }) {
  return (
    <p className={styles.expiry} data-past={card.expiry === 'PAST' || undefined}>
      <Icon name="warning" size="s" />
      {card.expiry === 'PAST' ? (
        card.paysSubscription ? (
          <Trans>This card no longer works, so your plan can’t renew. Replace it.</Trans>
        ) : (
          <Trans>This card no longer works. Replace or remove it.</Trans>
        )
      ) : card.paysSubscription ? (
        <Trans>This card expires soon. Replace it before your plan renews.</Trans>
      ) : (
        <Trans>This card expires soon.</Trans>
      )}
    </p>
  )
}

function ConfirmRemoval({ card, removable, mutations }: Pick<Props, 'card' | 'removable' | 'mutations'>) {
  const cardLabels = useCardLabels()
  const question = usePanelFocus<HTMLParagraphElement>()
  return (
    <div className={styles.confirm}>
      <p ref={question} tabIndex={-1} className={styles.question}>
        {removable ? (
          <Trans>Remove {cardLabels.spoken(card)}? You won’t be able to pay with it until you add it again.</Trans>
        ) : (
          <Trans>This card pays for your plan and is your only card. Replace it instead.</Trans>
        )}
      </p>
      <div className={styles.actions}>
        {removable && (
          <IntentForm intent="remove" id={card.id} onSend={() => mutations.remove(card.id)}>
            <Button type="submit" size="s" variant="danger" icon="trash" loading={mutations.busy}>
              <Trans>Remove</Trans>
            </Button>
          </IntentForm>
        )}
        <Button size="s" render={<Link to="/mypages/cards" resetScroll={false} />}>
          <Trans>Keep it</Trans>
        </Button>
      </div>
    </div>
  )
}

interface IntentFormProps {
  intent: 'default' | 'remove'
  id: CardId
  onSend: () => void
  children: ReactNode
}

function IntentForm({ intent, id, onSend, children }: IntentFormProps) {
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onSend()
  }
  return (
    <form method="post" action="/mypages/cards" onSubmit={submit}>
      <input type="hidden" name="intent" value={intent} />
      <input type="hidden" name="id" value={id} />
      {children}
    </form>
  )
}
