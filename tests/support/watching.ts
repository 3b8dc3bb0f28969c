import { randomUUID } from 'node:crypto'
import { rollUpEvents } from '#api/modules/analytics/analytics.queries.ts'
import { dayAt } from '#api/platform/clock.ts'
import type { LessonId, ProductCode, ProductId } from '#contract/ids.ts'
import { createFilm } from './media.ts'
import type { Tenant } from './tenant.ts'
import type { Client, TestApi } from './test-api.ts'

/** The product played, and its lesson. */
interface Played {
  id: ProductId
  lessonId?: LessonId
}

/** Helpers that play films and read the store’s analytics. */
export const watching = (api: TestApi) => {
  const rollUp = (tenant: Tenant, max = 1_000) => tenant.within((db) => rollUpEvents(db, tenant.id, max))
  const dayThere = (tenant: Tenant, at = api.clock.now()) => dayAt(at, tenant.settings.base.timeZone)
  /** A film of 100 seconds that everybody may play. */
  const freeFilm = (tenant: Tenant) => createFilm(tenant, { access: 'FREE', price: null })

  /** A new guest, with the token of the first answer. */
  const watcher = (tenant: Tenant) => {
    let guestToken: string | undefined
    const first = api.client(tenant.code, {
      onAnswer: (response) => {
        guestToken ??= response.headers.get('x-guest-token') ?? undefined
      },
    })
    return () => (guestToken ? api.client(tenant.code, { guestToken }) : first)
  }

  const report = (client: Client, { id, lessonId }: Played, positionSeconds: number, playedSeconds: number) =>
    client.playback.progress({
      id,
      ...(lessonId && { lessonId }),
      positionSeconds,
      playedSeconds,
      at: api.clock.now().toISOString(),
    })

  /** Plays from one second to another as a player does: a report every ten seconds of playing. */
  const play = async (client: () => Client, what: Played, from: number, to: number, speed = 1) => {
    for (let at = from; at < to; ) {
      const seconds = Math.min(10, (to - at) / speed)
      api.clock.advance(seconds * 1_000)
      at += seconds * speed
      await report(client(), what, at, seconds)
    }
  }

  const analyticsOf = async (tenant: Tenant, code: ProductCode, range: { from?: string; to?: string } = {}) => {
    const { client } = await tenant.createOperator(randomUUID())
    return client.analytics.product({ code, ...range })
  }

  return { rollUp, dayThere, freeFilm, watcher, report, play, analyticsOf }
}
