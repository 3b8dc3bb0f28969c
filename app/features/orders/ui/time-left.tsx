import { Plural, Trans } from '@lingui/react/macro'
import { useMemo } from 'react'
import { useSecondsLeft } from '~/platform/time/use-seconds-left'

interface Props {
  until: string
  /** The store's time as it answered. */
  now: string
}

/** How long there is left, counted down each second; without script, as it stood when the page was made. */
export function TimeLeft({ until, now }: Props) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: another answer came at another moment
  const answeredAt = useMemo(() => Date.now(), [now])
  const ticking = useSecondsLeft({ until, now, answeredAt })
  const left = ticking ?? Math.max(0, Math.ceil((Date.parse(until) - Date.parse(now)) / 1_000))
  return (
    <span role="timer" aria-live="off">
      <Words left={left} />
    </span>
  )
}

function Words({ left }: { left: number }) {
  const [days, hours, minutes] = [Math.floor(left / 86_400), Math.floor(left / 3_600) % 24, Math.floor(left / 60) % 60]
  const seconds = left % 60
  if (left === 0) return <Trans>The deadline has passed.</Trans>
  if (days > 0) {
    return (
      <Trans>
        <Plural value={days} one="# day" other="# days" /> and <Plural value={hours} one="# hour" other="# hours" />{' '}
        left
      </Trans>
    )
  }
  if (hours > 0) {
    return (
      <Trans>
        <Plural value={hours} one="# hour" other="# hours" /> and{' '}
        <Plural value={minutes} one="# minute" other="# minutes" /> left
      </Trans>
    )
  }
  return (
    <Trans>
      <Plural value={minutes} one="# minute" other="# minutes" /> and{' '}
      <Plural value={seconds} one="# second" other="# seconds" /> left
    </Trans>
  )
}
