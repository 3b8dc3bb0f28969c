import { useEffect, useState } from 'react'

interface Deadline {
  until: string
  /** What time it was at the store when it answered: its clock may be another than the browser's. */
  now: string
  /** When the answer came, by this machine's clock, in milliseconds. */
  answeredAt: number
}

const second = 1_000

const left = ({ until, now, answeredAt }: Deadline) =>
  Math.max(0, Math.ceil((Date.parse(until) - Date.parse(now) - (Date.now() - answeredAt)) / second))

/** Whole seconds until a deadline of the store, counting down; undefined until the page is the browser's. */
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
