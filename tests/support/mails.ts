import { and, desc, eq } from 'drizzle-orm'
import { mails } from '#api/modules/mail/mail.schema.ts'
import type { Tenant } from './tenant.ts'

/** The mails a tenant has written to an address, the latest first. */
export const mailsTo = (tenant: Pick<Tenant, 'id' | 'within'>, to: string) =>
  tenant.within((db) =>
    db
      .select()
      .from(mails)
      .where(and(eq(mails.customerId, tenant.id), eq(mails.to, to)))
      .orderBy(desc(mails.createdAt), desc(mails.id)),
  )

/** The latest mail to an address; none fails the test. */
export const mailTo = async (tenant: Pick<Tenant, 'id' | 'within'>, to: string) => {
  const [latest] = await mailsTo(tenant, to)
  if (!latest) throw new Error(`There is no mail to ${to}`)
  return latest
}

/** The six digits of a mail's text. */
export const codeIn = ({ text }: { text: string }) => {
  const code = /^\s*(\d{6})\s*$/m.exec(text)?.[1]
  if (!code) throw new Error(`There is no code in: ${text}`)
  return code
}

/** The access key of a mail's link. */
export const keyIn = ({ text }: { text: string }) => {
  const key = /\/reset-password\?key=([\w-]+)/.exec(text)?.[1]
  if (!key) throw new Error(`There is no access key in: ${text}`)
  return key
}
