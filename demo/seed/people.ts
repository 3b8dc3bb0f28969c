import { randomUUID } from 'node:crypto'
import { comments, likes, positions, productEvents, viewedProducts } from '#api/modules/engagement/engagement.schema.ts'
import { members } from '#api/modules/identity/identity.schema.ts'
import { countWatchedRanges } from '#api/modules/playback/watched-ranges.ts'
import { dayAt } from '#api/platform/clock.ts'
import { hashPassword } from '#api/platform/crypto.ts'
import { newId } from '#api/platform/db/columns.ts'
import type { CommentId, MemberId } from '#contract/ids.ts'
import { DEMO_EMAIL, DEMO_PASSWORD, SECOND_EMAIL } from './accounts.ts'
import type { SeededCatalog, SeededProduct } from './catalog.ts'
import { CLIPS } from './media.ts'
import { daysAgo, hoursAgo, type Seeding } from './seeding.ts'

/** Writes the members and their comments; returns the id of the demo member. */
export async function seedPeople(seeding: Seeding, catalog: SeededCatalog): Promise<MemberId> {
  const { customerId, db, now, tenant } = seeding
  const korean = tenant.settings.base.locale === 'ko'
  const partnership = tenant.history.partnershipDays
  const people = [
    { email: DEMO_EMAIL, name: korean ? '김한결' : 'Robin Ferrer' },
    { email: SECOND_EMAIL, name: korean ? '이나래' : 'Alex Moreau' },
    ...tenant.members,
  ]
  // The other members cannot sign in: they share a random password that is not stored.
  const unknown = await hashPassword(randomUUID())
  const rows = await Promise.all(
    people.map(async ({ email, name }, index) => ({
      customerId,
      id: newId<MemberId>(),
      email,
      emailLower: email.toLowerCase(),
      passwordHash: index < 2 ? await hashPassword(DEMO_PASSWORD) : unknown,
      name,
      phone: index === 0 ? (korean ? '+821012345678' : '+351210000001') : null,
      partnershipUntil: index === 0 && partnership ? daysAgo({ now }, -partnership) : null,
      createdAt: daysAgo(seeding, 400 - index * 9, index),
    })),
  )
  await db.insert(members).values(rows)

  const idOf = new Map(rows.map(({ email, id }) => [email.split('@')[0], id]))
  const author = (by: string) => {
    const id = idOf.get(by)
    if (!id) throw new Error(`A comment is by ${by}, who does not exist`)
    return id
  }
  const commentRows = tenant.comments.flatMap((comment) => {
    const [id, productId] = [newId<CommentId>(), productOf(catalog, comment.product).id]
    const top = {
      customerId,
      id,
      productId,
      memberId: author(comment.by),
      parentId: null,
      body: comment.body,
      createdAt: hoursAgo(seeding, comment.hours),
    }
    const replies = (comment.replies ?? []).map((reply) => ({
      ...top,
      id: newId<CommentId>(),
      memberId: author(reply.by),
      parentId: id,
      body: reply.body,
      createdAt: hoursAgo(seeding, reply.hours),
    }))
    return [top, ...replies]
  })
  if (commentRows.length > 0) await db.insert(comments).values(commentRows)
  const demoMember = rows[0]?.id
  if (!demoMember) throw new Error('The demo content names no members')
  await seedTraces(seeding, catalog, demoMember)
  return demoMember
}

/** The demo member's likes, viewed products and playback positions. */
async function seedTraces(seeding: Seeding, catalog: SeededCatalog, memberId: MemberId): Promise<void> {
  const { customerId, db, tenant } = seeding
  const { liked, viewed, watching } = tenant.history
  if (liked.length > 0)
    await db.insert(likes).values(
      liked.map((code, index) => ({
        customerId,
        memberId,
        productId: productOf(catalog, code).id,
        createdAt: hoursAgo(seeding, 10 + index * 31),
      })),
    )
  if (viewed.length > 0)
    await db.insert(viewedProducts).values(
      viewed.map((code, index) => ({
        customerId,
        viewer: memberId,
        productId: productOf(catalog, code).id,
        at: hoursAgo(seeding, 1 + index * 5),
      })),
    )
  const left = watching.map(({ product, share, lesson }, index) => {
    const { id, demo, lessons } = productOf(catalog, product)
    const clip = lesson === undefined ? demo.video : demo.lessons?.[lesson]?.video
    const durationSeconds = clip ? CLIPS[clip].durationSeconds : 0
    const playedSeconds = durationSeconds * share
    const at = hoursAgo(seeding, 2 + index * 20)
    return {
      customerId,
      viewer: memberId,
      productId: id,
      part: lesson === undefined ? 'main' : (lessons[lesson]?.id ?? 'main'),
      positionSeconds: playedSeconds,
      durationSeconds,
      playedSeconds,
      at,
      counted: true,
      countedOn: dayAt(new Date(at), tenant.settings.base.timeZone),
      watchedRanges: countWatchedRanges(0, playedSeconds, { playedSeconds, durationSeconds }),
    }
  })
  if (left.length === 0) return
  await db.insert(positions).values(left)
  // Playback positions agree with the analytics: a film with a position has a play.
  await db.insert(productEvents).values(
    left.flatMap(({ productId, part, playedSeconds, at, countedOn: day, watchedRanges }) => [
      { customerId, id: newId(), productId, part, at, type: 'PLAY' as const, day, watchedRanges },
      { customerId, id: newId(), productId, part, at, type: 'WATCH' as const, seconds: playedSeconds },
    ]),
  )
}

export function productOf(catalog: SeededCatalog, code: string): SeededProduct {
  const product = catalog.products.get(code)
  if (!product) throw new Error(`The demo content names ${code}, which does not exist`)
  return product
}
