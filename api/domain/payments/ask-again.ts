const minute = 60_000
const day = 24 * 60 * minute

/**
 * When a provider is asked again about what began at a moment: after half of the time that has passed since, a minute at least and
 * `longest` milliseconds at most. What is young is asked about often, and what nobody ever answers takes no turn from it.
 */
export const askAgainAt = (now: Date, since: string, longest = day): string => {
  const age = now.getTime() - Date.parse(since)
  return new Date(now.getTime() + Math.min(Math.max(age / 2, minute), longest)).toISOString()
}
