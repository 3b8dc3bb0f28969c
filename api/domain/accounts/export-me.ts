import type { MemberCtx } from '#api/context.ts'
import { exportSections, readSection } from '#api/db/queries/export.ts'

/** Everything the store keeps of the member, table by table. Keys and tokens are left out: they are means, not data. */
export const exportMe = async ({ customer, actor, db, clock }: MemberCtx): Promise<Record<string, unknown>> => {
  const sections: Record<string, unknown> = {}
  for (const [name, section] of Object.entries(exportSections))
    sections[name] = await readSection(db, customer.id, actor.memberId, section)
  return {
    store: { code: customer.code, name: customer.settings.base.name },
    exportedAt: clock.now().toISOString(),
    ...sections,
  }
}
