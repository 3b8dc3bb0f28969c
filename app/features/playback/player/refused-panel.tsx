import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { Link, useLocation } from '@tanstack/react-router'
import { type ReactNode, useLayoutEffect, useRef, useState } from 'react'
import type { ProductCode } from '#contract/ids.ts'
import { useDeviceName } from '~/platform/format/use-device-name'
import { useFormat } from '~/platform/format/use-format'
import { storeText } from '~/platform/i18n/store-text'
import { Button } from '~/ui/button'
import { Icon, type IconName } from '~/ui/icon'
import styles from './refused-panel.module.css'
import type { RefusalAnswer, StreamRefusal } from './stream-errors'

interface Props {
  refusal: StreamRefusal
  /** Requests the stream again with the viewer's choice. */
  onAnswer: (answer: RefusalAnswer) => void
}

/** Explains why the stream is refused and what the viewer can do. */
export function RefusedPanel({ refusal, onAnswer }: Props) {
  switch (refusal.reason) {
    case 'STREAM_LIMIT':
      return <StreamChoice refusal={refusal} onAnswer={onAnswer} />
    case 'DEVICE_LIMIT':
      return <DeviceChoice refusal={refusal} onAnswer={onAnswer} />
    default:
      return <LostAccess refusal={refusal} onAnswer={onAnswer} />
  }
}

type Of<Reason extends StreamRefusal['reason']> = Omit<Props, 'refusal'> & {
  refusal: Extract<StreamRefusal, { reason: Reason }>
}

function StreamChoice({ refusal: { plays, limit }, onAnswer }: Of<'STREAM_LIMIT'>) {
  const { t } = useLingui()
  const format = useFormat()
  const nameOf = useDeviceName()
  const [chosen, setChosen] = useState<string>()
  const [first] = plays
  const choose = (takeOver: (typeof plays)[number]['id']) => {
    setChosen(takeOver)
    onAnswer({ takeOver })
  }
  const whereOf = ({ device, here }: (typeof plays)[number]) => (here ? t`this device` : nameOf(device))
  if (first && plays.length === 1) {
    const { title } = first
    const where = whereOf(first)
    const since = format.dateTime(first.since)
    return (
      <Panel
        icon="play"
        title={
          first.here ? <Trans>Playing in another window on this device.</Trans> : <Trans>Playing on {where}.</Trans>
        }
      >
        <p className={styles.about}>
          <Trans>
            {title}, since {since}. Continue here?
          </Trans>
        </p>
        <div className={styles.actions}>
          <Button variant="inverse" icon="play" loading={chosen !== undefined} onClick={() => choose(first.id)}>
            <Trans>Continue here</Trans>
          </Button>
        </div>
      </Panel>
    )
  }
  return (
    <Panel
      icon="play"
      title={
        <Plural value={limit} one="You can watch # video at a time." other="You can watch # videos at the same time." />
      }
    >
      <p className={styles.about}>
        <Trans>Choose a video to stop</Trans>
      </p>
      <ul className={styles.choices}>
        {plays.map((play) => {
          const where = whereOf(play)
          return (
            <li key={play.id} className={styles.choice}>
              <span className={styles.words}>
                <strong>{where}</strong>
                <span>{storeText(play, 'title')}</span>
              </span>
              <Button
                variant="inverse"
                size="s"
                loading={chosen === play.id}
                aria-label={t`Continue here instead of on ${where}`}
                onClick={() => choose(play.id)}
              >
                <Trans>Continue here</Trans>
              </Button>
            </li>
          )
        })}
      </ul>
    </Panel>
  )
}

function DeviceChoice({ refusal: { devices, limit }, onAnswer }: Of<'DEVICE_LIMIT'>) {
  const { t } = useLingui()
  const format = useFormat()
  const nameOf = useDeviceName()
  const [chosen, setChosen] = useState<string>()
  return (
    <Panel
      icon="settings"
      title={<Plural value={limit} one="You can watch on # device." other="You can watch on # devices." />}
    >
      <p className={styles.about}>
        <Trans>Sign out one of these devices to watch here.</Trans>
      </p>
      <ul className={styles.choices}>
        {devices.map(({ sessionId, device, playedAt }) => {
          const name = nameOf(device)
          return (
            <li key={sessionId} className={styles.choice}>
              <span className={styles.words}>
                <strong>{name}</strong>
                <span>
                  <Trans>Last watched {format.dateTime(playedAt)}</Trans>
                </span>
              </span>
              <Button
                variant="inverse"
                size="s"
                loading={chosen === sessionId}
                aria-label={t`Sign out ${name} and watch here`}
                onClick={() => {
                  setChosen(sessionId)
                  onAnswer({ signOut: sessionId })
                }}
              >
                <Trans>Sign out</Trans>
              </Button>
            </li>
          )
        })}
      </ul>
    </Panel>
  )
}

type LostAccessReason = Exclude<StreamRefusal['reason'], 'STREAM_LIMIT' | 'DEVICE_LIMIT'>

function LostAccess({ refusal: { reason, code }, onAnswer }: Of<LostAccessReason>) {
  const { t } = useLingui()
  const messages: Record<LostAccessReason, string> = {
    SIGN_IN: t`You’re signed out. Sign in to keep watching.`,
    SUSPENDED: t`You can’t watch this while your refund request is being reviewed.`,
    REFUNDED: t`This title was refunded, so you can no longer watch it.`,
    EXPIRED: t`Your viewing period has ended.`,
    PLAN_ENDED: t`Your plan has ended, so you can no longer watch this.`,
    PLAN_PAUSED: t`Your plan is paused, so you can’t watch this now.`,
    ENDED: t`You no longer have access to this title.`,
  }
  return (
    <Panel icon="info" title={messages[reason]}>
      <div className={styles.actions}>
        <RestoreAction reason={reason} code={code} />
        <Button variant="secondary" icon="retry" onClick={() => onAnswer({})}>
          <Trans>Try again</Trans>
        </Button>
      </div>
    </Panel>
  )
}

/** The action that gives access again. */
function RestoreAction({ reason, code }: { reason: LostAccessReason; code: ProductCode }) {
  const { href } = useLocation()
  switch (reason) {
    case 'SIGN_IN':
      return (
        <Button variant="inverse" icon="user" render={<Link to="/login" search={{ redirect: href }} />}>
          <Trans>Sign in</Trans>
        </Button>
      )
    case 'SUSPENDED':
      return (
        <Button variant="inverse" render={<Link to="/mypages/order-histories" />}>
          <Trans>View orders</Trans>
        </Button>
      )
    case 'PLAN_ENDED':
      return (
        <Button variant="inverse" render={<Link to="/plans" />}>
          <Trans>View plans</Trans>
        </Button>
      )
    case 'PLAN_PAUSED':
      return (
        <Button variant="inverse" render={<Link to="/mypages/subscription" />}>
          <Trans>View subscription</Trans>
        </Button>
      )
    default:
      return (
        <Button variant="inverse" render={<Link to="/products/$code" params={{ code }} />}>
          <Trans>See viewing options</Trans>
        </Button>
      )
  }
}

/**
 * Announced when it appears. Its first button takes the focus if the player, or nothing, had it.
 */
function Panel({ icon, title, children }: { icon: IconName; title: ReactNode; children: ReactNode }) {
  const panel = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const element = panel.current
    const focused = document.activeElement
    if (focused && focused !== document.body && !element?.closest('[data-player]')?.contains(focused)) return
    element?.querySelector<HTMLElement>('button, a')?.focus({ preventScroll: true })
  }, [])
  return (
    <div ref={panel} className={styles.panel} role="alert" data-refused>
      <Icon name={icon} size="xl" />
      <p className={styles.title}>{title}</p>
      {children}
    </div>
  )
}
