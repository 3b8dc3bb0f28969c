import { randomUUID } from 'node:crypto'
import { and, eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { members } from '#api/modules/identity/identity.schema.ts'
import { dayAt } from '#api/platform/clock.ts'
import { customerBase } from '#contract/http.ts'
import { buy } from '#tests/support/buying.ts'
import { createFilm } from '#tests/support/media.ts'
import { createTenant, type Tenant } from '#tests/support/tenant.ts'
import { createTestApi, failureOf } from '#tests/support/test-api.ts'

const api = createTestApi()

const download = async (tenant: Tenant, token: string, list: string) => {
  const request = new Request(`${api.origin}${customerBase(tenant.code)}/admin/${list}`, {
    headers: { authorization: `Bearer ${token}` },
  })
  return api.fetch(request)
}

/** Adds members whose names and addresses count, the first one the latest. */
const addMembers = (tenant: Tenant, count: number) =>
  tenant.within((db) =>
    db.$client.query(
      `INSERT INTO members (customer_id, id, email, email_lower, password_hash, name, created_at)
       SELECT c.customer_id, new.id, 'bulk-' || n || '@example.com', 'bulk-' || n || '@example.com', 'x', 'Bulk ' || n,
              now() - n * interval '1 minute'
         FROM customers c CROSS JOIN unnest($2::uuid[]) WITH ORDINALITY AS new (id, n)
        WHERE c.customer_id = $1`,
      [tenant.id, Array.from({ length: count }, () => randomUUID())],
    ),
  )

test('an export of 20,000 members is sent while it is read, in small parts', async () => {
  const tenant = await createTenant(api)
  const { token } = await tenant.createStaff('OWNER')
  await addMembers(tenant, 20_000)
  const response = await download(tenant, token, 'members.csv')
  expect(response.status).toBe(200)
  expect(response.headers.get('content-length')).toBeNull()
  expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8')
  expect(response.headers.get('content-disposition')).toMatch(/filename="members-\d{4}-\d\d-\d\d\.csv"/)
  const reader = response.body!.getReader()
  const sizes: number[] = []
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  let text = decoder.decode((await reader.read()).value, { stream: true })
  expect(text.startsWith('\ufeffemail,name,')).toBe(true)
  // The last row is not read yet: it leaves the file when it leaves the store.
  await tenant.within((db) =>
    db.delete(members).where(and(eq(members.customerId, tenant.id), eq(members.email, 'bulk-20000@example.com'))),
  )
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    sizes.push(part.value.length)
    text += decoder.decode(part.value, { stream: true })
  }
  const lines = text.trimEnd().split('\r\n')
  expect(lines).toHaveLength(20_000)
  expect(lines[1]).toMatch(/^bulk-1@example\.com,Bulk 1,/)
  expect(lines.at(-1)).toMatch(/^bulk-19999@example\.com,/)
  expect(sizes.length).toBeGreaterThan(30)
  expect(Math.max(...sizes)).toBeLessThan(100_000)
}, 60_000)

test('an export that the reader leaves stops reading', async () => {
  const tenant = await createTenant(api)
  const { token } = await tenant.createStaff('OWNER')
  await addMembers(tenant, 2_000)
  const response = await download(tenant, token, 'members.csv')
  const reader = response.body!.getReader()
  await reader.read()
  await reader.cancel()
  expect((await reader.read()).done).toBe(true)
})

test('an export of orders has the filters and amounts of the list, runs no formula, and is audited', async () => {
  const tenant = await createTenant(api)
  const { client, email } = await tenant.createStaff('OWNER')
  const member = await tenant.createMember()
  await tenant.within((db) =>
    db.update(members).set({ name: '=HYPERLINK("http://x")' }).where(eq(members.id, member.id)),
  )
  const order = await buy(api, tenant, member, await tenant.createProduct({ title: 'Tide, "quiet"', price: 1250 }))
  const { timeZone } = tenant.settings.base
  const file = await client.admin.orders.export({ q: member.email.slice(0, 8), status: 'PAYMENT_COMPLETE' })
  const [heading, line, ...rest] = (await file.text()).replace('\ufeff', '').trimEnd().split('\r\n')
  expect(heading).toBe(
    `order,status,status name,way of payment,recorded as,way of payment name,provider,reference,paid on,total,currency,refunded,email,name,titles,created (${timeZone})`,
  )
  expect(line).toMatch(/,\d{4}-\d\d-\d\d \d\d:\d\d$/)
  const [payment] = (await client.admin.orders.get({ code: order.code })).payments
  const day = dayAt(api.clock.now(), timeZone)
  expect(line).toContain(
    `${order.code},PAYMENT_COMPLETE,Paid,CARD,,Card,sandbox,${payment!.providerRef},${day},12.50,USD,0.00,${member.email},`,
  )
  expect(await (await client.admin.orders.export({ columns: 'total,way' })).text()).toBe(
    `order,way of payment,recorded as,way of payment name,total,currency\r\n${order.code},CARD,,Card,12.50,USD\r\n`,
  )
  expect(line).toContain(`"'=HYPERLINK(""http://x"")","Tide, ""quiet"""`)
  expect(rest).toEqual([])
  expect(await (await client.admin.orders.export({ status: 'CANCEL_COMPLETE' })).text()).toContain(
    `created (${timeZone})\r\n`,
  )
  const { items } = await client.admin.audit({ action: 'orders.exported' })
  expect(items).toHaveLength(3)
  expect(items[2]).toMatchObject({
    actor: `staff:${email}`,
    subject: 'export:orders',
    detail: { filters: { q: member.email.slice(0, 8), status: 'PAYMENT_COMPLETE' } },
  })
})

test('an export of payments and refunds names day, provider and reference, and is audited', async () => {
  const tenant = await createTenant(api)
  const { client, email } = await tenant.createStaff('OWNER')
  const member = await tenant.createMember()
  const order = await buy(api, tenant, member, await tenant.createProduct({ price: 1250 }))
  const [payment] = (await client.admin.orders.get({ code: order.code })).payments
  const day = dayAt(api.clock.now(), tenant.settings.base.timeZone)
  const file = await client.admin.orders.exportMovements({ from: day, to: day })
  const [heading, line] = (await file.text()).replace('\ufeff', '').split('\r\n')
  expect(heading).toBe('day,time,order,plan,type,provider,method,reference,receipt number,paid,refunded,currency')
  expect(line).toMatch(
    new RegExp(
      `^${day},\\d\\d:\\d\\d:\\d\\d,${order.code},,PAYMENT,sandbox,CARD,${payment!.providerRef},,12.50,0.00,USD$`,
    ),
  )
  const { items } = await client.admin.audit({ action: 'movements.exported' })
  expect(items).toMatchObject([{ actor: `staff:${email}`, detail: { filters: { from: day, to: day } } }])
  expect(await failureOf(client.admin.orders.exportMovements({ from: '2026-02-01', to: '2026-01-01' }))).toMatchObject({
    status: 422,
  })
})

test('an export has times in the time zone of the store and names in the language of the caller', async () => {
  const tenant = await createTenant(api)
  const { token } = await tenant.createStaff('OWNER')
  const member = await tenant.createMember()
  await tenant.within((db) =>
    db.update(members).set({ createdAt: '2026-11-25T19:58:13.106Z' }).where(eq(members.id, member.id)),
  )
  const list = await (await download(tenant, token, 'members.csv?columns=joined')).text()
  expect(tenant.settings.base.timeZone).toBe('Asia/Seoul')
  expect(list).toContain(`email,joined (Asia/Seoul)\r\n${member.email},2026-11-26 04:58\r\n`)
  await buy(api, tenant, member, await tenant.createProduct({ price: 1250 }))
  const request = new Request(`${api.origin}${customerBase(tenant.code)}/admin/orders.csv?columns=status,way`, {
    headers: { authorization: `Bearer ${token}`, 'accept-language': 'ko' },
  })
  expect(await (await api.fetch(request)).text()).toMatch(/,PAYMENT_COMPLETE,결제 완료,CARD,,카드\r\n$/)
})

test('exports need the permission to change what they list', async () => {
  const tenant = await createTenant(api)
  const [analyst, finance] = [await tenant.createStaff('ANALYST'), await tenant.createStaff('FINANCE')]
  expect(await failureOf(analyst.client.admin.orders.export({}))).toMatchObject({ status: 403 })
  expect(await failureOf(analyst.client.admin.orders.exportMovements({}))).toMatchObject({ status: 403 })
  expect(await failureOf(finance.client.admin.members.export({}))).toMatchObject({ status: 403 })
})

test('inquiries, emails and the audit log are exported by whoever may read them, without contents', async () => {
  const tenant = await createTenant(api)
  const { client } = await tenant.createStaff('OWNER')
  const member = await tenant.createMember()
  await member.client.support.createInquiry({ type: 'ETC', title: '=1+1', body: 'A secret text' })
  await client.admin.mails.sendTest({ email: 'kim@example.com' })
  const textOf = async (file: Promise<File>) => (await file).text().then((text) => text.replace('\ufeff', ''))
  const inquiries = await textOf(client.admin.inquiries.export({ words: 'SECRET' }))
  expect(inquiries).toMatch(
    /^subject,number,email,name,assigned to,topic,status,status name,created \(.+\),last message \(.+\)\r\n'=1\+1,Q-/,
  )
  expect(inquiries).not.toContain('A secret text')
  expect(await textOf(client.admin.inquiries.export({ words: 'absent' }))).toMatch(/last message \(Asia\/Seoul\)\r\n$/)
  const day = '2999-01-01'
  expect(await textOf(client.admin.mails.export({ template: 'test', columns: 'to,status' }))).toBe(
    'recipient,status,status name\r\nkim@example.com,QUEUED,Queued\r\n',
  )
  expect((await client.admin.mails.list({ since: day })).items).toEqual([])
  expect((await client.admin.mails.list({ until: '2020-01-01' })).items).toEqual([])
  expect((await client.admin.mails.list({ template: 'test' })).items).toHaveLength(1)
  expect(await textOf(client.admin.auditExport({ action: 'mail' }))).toMatch(
    /^action,actor,actor name,object,object name,changes,date \(.+\)\r\nmail\.tested,staff:(\S+@\S+),\1,mails:test,Test email,/,
  )
  const { items } = await client.admin.audit({ subject: 'export:mails' })
  expect(items[0]).toMatchObject({ action: 'mails.exported', detail: { filters: { template: 'test' } } })
  const catalog = await tenant.createStaff('CATALOG')
  expect(await failureOf(catalog.client.admin.inquiries.export({}))).toMatchObject({ status: 403 })
  expect(await failureOf(catalog.client.admin.auditExport({}))).toMatchObject({ status: 403 })
})

test('comments and suppressed addresses are exported with the filters of their lists, and audited', async () => {
  const tenant = await createTenant(api)
  const { client, email } = await tenant.createStaff('OWNER')
  const { timeZone } = tenant.settings.base
  const film = await tenant.createProduct({ title: 'Tide' })
  const [author, reader] = [await tenant.createMember(), await tenant.createMember()]
  const { id } = await author.client.engagement.addComment({ id: film.id, body: '=1+1 is "fine"' })
  await reader.client.engagement.reportComment({ id: film.id, commentId: id, reason: 'SPOILER' })
  api.clock.advance(60_000)
  await client.admin.comments.reply({ id, body: 'Thank you.' })
  api.clock.advance(60_000)
  const { id: gone } = await reader.client.engagement.addComment({ id: film.id, body: 'A secret text' })
  await reader.client.engagement.deleteComment({ id: film.id, commentId: gone })
  const linesOf = async (file: Promise<File>) =>
    (await (await file).text()).replace('\ufeff', '').trimEnd().split('\r\n')
  const [heading, deleted, reply, first] = await linesOf(client.admin.comments.export({}))
  expect(heading).toBe(
    `comment,author,by the store,reply,blocked word,reports,undecided reports,product,product code,status,status name,created (${timeZone}),edited (${timeZone})`,
  )
  expect(deleted).toMatch(/^,[^,]+,no,no,,,0,Tide,/)
  expect(deleted).toContain(',DELETED,Deleted by its author,')
  expect(reply).toContain(`Thank you.,,yes,yes,,,0,Tide,${film.code},SHOWN,Published,`)
  expect(first).toMatch(/^"'=1\+1 is ""fine""",[^,]+,no,no,,SPOILER: 1,1,Tide,/)
  expect(await linesOf(client.admin.comments.export({ reported: 'OPEN', columns: 'text,state' }))).toEqual([
    'comment,author,by the store,reply,blocked word,reports,undecided reports,status,status name',
    expect.stringContaining(',SPOILER: 1,1,SHOWN,Published'),
  ])

  await client.admin.mails.suppress({ address: 'Never@example.com', reason: 'Asked, by phone' })
  await client.admin.mails.suppress({ address: 'other@example.com', reason: 'Moved' })
  const [columns, address, ...more] = await linesOf(client.admin.mails.exportSuppressed({ q: 'never' }))
  expect(columns).toBe(`email,by,by name,reason,since (${timeZone}),tried again (${timeZone})`)
  expect(address).toMatch(/^never@example\.com,STAFF,Staff,"Asked, by phone",\d{4}-\d\d-\d\d \d\d:\d\d,$/)
  expect(more).toEqual([])

  const { items } = await client.admin.audit({ action: 'suppressed-addresses.exported' })
  expect(items).toMatchObject([{ actor: `staff:${email}`, detail: { filters: { q: 'never' }, rows: 1 } }])
  expect((await client.admin.audit({ action: 'comments.exported' })).items).toHaveLength(2)
  const finance = await tenant.createStaff('FINANCE')
  expect(await failureOf(finance.client.admin.comments.export({}))).toMatchObject({ status: 403 })
  const catalog = await tenant.createStaff('CATALOG')
  expect(await failureOf(catalog.client.admin.mails.exportSuppressed({}))).toMatchObject({ status: 403 })
})

test('videos, cases and deliveries of webhooks are exported with the filters of their lists, and audited', async () => {
  const tenant = await createTenant(api)
  const { client, email } = await tenant.createStaff('OWNER')
  const film = await createFilm(tenant, { title: 'Harbour lights' })
  await createFilm(tenant, { title: 'A winter garden' })
  const { client: member, email: address } = await tenant.createMember()
  await member.support.createInquiry({ type: 'ETC', title: '=Sound', body: 'Hm.' })
  const { id } = await client.webhooks.create({ url: 'https://example.com/hook', eventTypes: ['order.paid'] })
  await client.webhooks.test({ id })
  const { timeZone } = tenant.settings.base
  const linesOf = async (file: Promise<File>) =>
    (await (await file).text()).replace('\ufeff', '').trimEnd().split('\r\n')

  const [heading, video, ...others] = await linesOf(client.admin.videos.export({ q: 'harbour' }))
  expect(heading).toBe(`video,id,file,shown by,product codes,seconds,width,height,bytes,added (${timeZone})`)
  expect(video).toMatch(new RegExp(`^Harbour lights,${film.video.id},.*,Harbour lights,${film.code},`))
  expect(others).toEqual([])
  expect(await linesOf(client.admin.videos.export({ columns: 'shown' }))).toHaveLength(3)

  const cases = await linesOf(client.admin.cases.export({}))
  expect(cases).toHaveLength(2)
  expect(cases[1]).toMatch(new RegExp(`^INQUIRY,,'=Sound,WAIT,Open,${address},,`))
  expect(await linesOf(client.admin.cases.export({ status: 'COMPLETE' }))).toHaveLength(1)

  const deliveries = await linesOf(client.webhooks.exportDeliveries({ id }))
  expect(deliveries).toHaveLength(2)
  expect(deliveries[1]).toMatch(/^webhook\.test,[\w-]+,QUEUED,Queued,,,0,/)
  expect(await linesOf(client.webhooks.exportDeliveries({ id, status: 'FAILED' }))).toHaveLength(1)

  const { items } = await client.admin.audit({ actor: email, action: 'webhook-deliveries' })
  expect(items).toHaveLength(2)
  expect(items[1]).toMatchObject({ subject: 'export:webhook-deliveries', detail: { filters: { id }, rows: 1 } })
  for (const action of ['videos.exported', 'cases.exported'])
    expect((await client.admin.audit({ action })).items, action).toHaveLength(2)
  const analyst = await tenant.createStaff('ANALYST')
  expect((await download(tenant, analyst.token, `webhook-deliveries.csv?id=${id}`)).status).toBe(403)
})
