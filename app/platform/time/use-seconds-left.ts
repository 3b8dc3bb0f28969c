import { useEffect, useState } from 'react'

interface Deadline {
  until: string
  /** The server's time when it answered; the browser's clock may differ. */
  now: string
  /** When the response arrived, by the browser's clock, in milliseconds. */
  answeredAt: number
}

const second = 1_000

const left = ({ until, now, answeredAt }: Deadline) =>
  Math.max(0, Math.ceil((Date.parse(until) - Date.parse(now) - (Date.now() - answeredAt)) / second))

/** Counts down the whole seconds until a deadline; undefined until the page is hydrated. */
export function useSecondsLeft({ until, now, answeredAt }: Deadline): number | undefined {
  const [seconds, setSeconds] = useState<number>()
  useEffect(() => {
    const tick = () => setSeconds(left({ until, now, answeredAt }))
    tick()
    const timer = setInterval(tick, second)
    return () => clearInterval(timer)
  }, [until, now, answeredAt])
  return seconds
}
