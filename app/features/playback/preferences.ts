import * as z from 'zod/mini'

export const speeds = [0.5, 0.75, 1, 1.25, 1.5, 1.75, 2] as const

/** What a person set once and expects to find again. `captions` is a language, or null for none. */
const preferences = z.object({
  volume: z.catch(z.number().check(z.gte(0), z.lte(1)), 1),
  muted: z.catch(z.boolean(), false),
  speed: z.catch(z.literal(speeds), 1),
  captions: z.catch(z.nullable(z.string().check(z.maxLength(20))), null),
})
export type PlayerPreferences = z.output<typeof preferences>

const key = 'player'

/** Where storage is forbidden nothing is remembered, and nothing breaks. */
export function readPreferences(): PlayerPreferences {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(key) ?? '{}')
    const parsed = preferences.safeParse(stored)
    if (parsed.success) return parsed.data
  } catch {}
  return { volume: 1, muted: false, speed: 1, captions: null }
}

export function rememberPreferences(change: Partial<PlayerPreferences>): void {
  try {
    localStorage.setItem(key, JSON.stringify({ ...readPreferences(), ...change }))
  } catch {}
}
