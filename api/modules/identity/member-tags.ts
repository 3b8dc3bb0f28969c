import type * as z from 'zod/mini'
import { type AuditActor, audit, changesOf } from '#api/platform/audit.ts'
import type { Ctx } from '#api/platform/context.ts'
import { type MemberTagResult, maxMemberTags, type memberTagChange } from '#contract/admin/members.ts'
import { readTagCounts, readTagsForChange, writeTags } from './identity.queries.ts'

/**
 * Adds tags to members and removes others, each member by itself. A tag that is both added and
 * removed stays. Returns what became of each, in their order.
 */
export const changeTags = async (
  ctx: Ctx,
  by: AuditActor,
  { ids, add, remove }: z.output<typeof memberTagChange>,
): Promise<MemberTagResult> => {
  const { db, customer } = ctx
  const before = await readTagsForChange(db, customer.id, ids)
  const items: MemberTagResult['items'] = []
  for (const id of ids) {
    const tags = before.get(id)
    if (!tags) {
      items.push({ id, result: 'FAILED', reason: 'NOT_FOUND' })
      continue
    }
    const added = [...new Set(add)].filter((tag) => !tags.includes(tag))
    const removed = remove.filter((tag) => tags.includes(tag) && !add.includes(tag))
    const after = [...tags.filter((tag) => !removed.includes(tag)), ...added].sort()
    if (after.length > maxMemberTags) {
      items.push({ id, result: 'FAILED', reason: 'TOO_MANY' })
      continue
    }
    const isChanged = added.length + removed.length > 0
    items.push({ id, result: isChanged ? 'CHANGED' : 'UNCHANGED', reason: null })
    if (!isChanged) continue
    before.set(id, after)
    await writeTags(db, customer.id, id, { added, removed })
    const changes = changesOf({ tags: tags.join(', ') }, { tags: after.join(', ') })
    await audit(ctx, { actor: by, action: 'member.tagged', subject: `member:${id}`, changes })
  }
  return { items }
}

/** The tags in use, to filter members by and to choose from. */
export const listTags = async ({ db, customer }: Ctx) => ({ items: await readTagCounts(db, customer.id) })
