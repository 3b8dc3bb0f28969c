import * as z from 'zod/mini'
import { type Permission, permission } from '#contract/permissions.ts'
import { readPreference, writePreference } from './preferences'

/**
 * What the browser keeps of the last session at this host, so that the next visit shows the menu
 * before the API answers. `permissions` is null once that session has ended.
 */
export interface FrameMemory {
  store: string
  permissions: readonly Permission[] | null
}

const memory = z.object({ store: z.string(), permissions: z.nullable(z.array(permission)) })

/** Null where nobody has signed in, or whoever did has signed out. */
export const readFrameMemory = (): FrameMemory | null => {
  try {
    return memory.safeParse(JSON.parse(readPreference('frame') ?? '')).data ?? null
  } catch {
    return null
  }
}

/** Null forgets it. */
export const writeFrameMemory = (value: FrameMemory | null): void => writePreference('frame', JSON.stringify(value))
