import { and, desc, eq } from 'drizzle-orm'
import { mails } from '#api/modules/mail/mail.schema.ts'
import { queueMail } from '#api/modules/mail/mails.ts'
import { resolveCustomer } from '#api/modules/tenancy/stores.ts'
import type { MailTemplate } from '#api/platform/mail/render.ts'
import type { Locale } from '#contract/enumerations.ts'
import type { Tenant } from './tenant.ts'
import type { TestApi } from './test-api.ts'

/** The mails of a tenant to an address, the latest first. */
export const mailsTo = (tenant: Pick<Tenant, 'id' | 'within'>, to: string) =>
  tenant.within((db) =>
    db
      .select()
      .from(mails)
      .where(and(eq(mails.customerId, tenant.id), eq(mails.to, to)))
      .orderBy(desc(mails.createdAt), desc(mails.id)),
  )

/** The latest mail to an address; the test fails without one. */
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

/** A mail without a reason, for tests of delivery. */
export const greeting: MailTemplate<{ input: string }> = {
  name: 'greeting',
  samples: [{ input: 'there' }],
  content: ({ input }) => ({
    subject: `Hello ${input}`,
    title: input,
    blocks: [{ kind: 'link', label: input, path: '/faq' }],
  }),
}

/** Returns a function that queues a greeting. */
export const queueGreetingOf =
  (api: TestApi) =>
  async (tenant: Tenant, to: string, more: { input?: string; once?: string; locale?: Locale } = {}) => {
    const customer = await resolveCustomer(api.deps, tenant.code)
    const { input = 'there', locale = 'en', once } = more
    await tenant.within((db) =>
      queueMail(
        { customer: customer!, db, clock: api.clock },
        { template: greeting, to, memberId: null, locale, data: { input }, ...(once && { once }) },
      ),
    )
  }
