import { ftruncateSync, openSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { uploadId } from '#contract/ids.ts'
import { asMember, openMedia } from '#tests/support/media.ts'
import { createTenant } from '#tests/support/tenant.ts'
import { createTestApi, failureOf } from '#tests/support/test-api.ts'
import { openUploads } from '#tests/support/uploads.ts'
import { filesOf } from '#tests/support/video-jobs.ts'

const api = createTestApi()
const store = await openUploads(api)
const media = await openMedia(api)

const missing = { upload: ['No completed upload has this ID. Uploads expire after two days.'] }

const arrange = async () => {
  const tenant = await createTenant(api)
  const staff = await tenant.createStaff('CATALOG')
  const product = await tenant.createProduct({ access: 'MEMBER', price: null, file: false })
  const upload = async (name: string, bytes: Buffer) => {
    const { id } = await store.send(tenant, bytes, { token: staff.token, metadata: { filename: name } })
    return uploadId.parse(id)
  }
  return { tenant, staff, product, upload, products: staff.client.admin.products }
}

test('a file that is larger than a request is uploaded in parts, and downloaded as it was', async () => {
  const { tenant, staff, product, upload, products } = await arrange()
  const { code, id } = product
  const large = Buffer.alloc(12 * 1024 * 1024, 'exercise ')
  const sent = await upload('연습 문제.pdf', large)
  const { ino } = statSync(join(api.deps.dataFolder, 'uploads', tenant.id, sent))
  const { attachments } = await products.attachUpload({ code, upload: sent })
  // Not copied: two gigabytes would take longer than a proxy waits.
  const folder = join(api.deps.dataFolder, 'media/file', tenant.id)
  expect(readdirSync(folder).map((name) => statSync(join(folder, name)).ino)).toEqual([ino])
  expect(attachments).toMatchObject([{ name: '연습 문제.pdf', bytes: large.length, contentType: 'application/pdf' }])
  // Its upload has gone, and its owner is not asked to send it again.
  expect(filesOf(api.deps).uploads.filter((path) => path.startsWith(tenant.id))).toEqual([])
  const member = await tenant.createMember()
  const { url } = await member.client.catalog.confirmAttachment({ id, attachmentId: attachments[0]!.id })
  const whole = await media.get(url, asMember(member.token))
  expect([whole.status, whole.bytes.equals(large)]).toEqual([200, true])
  const part = await media.get(url, { ...asMember(member.token), range: `bytes=${large.length - 4}-` })
  expect([part.status, part.text]).toEqual([206, large.subarray(-4).toString()])
  const [entry] = (await products.get({ code })).history
  expect(entry).toMatchObject({ actor: `staff:${staff.email}`, action: 'product.changed' })
  // Whoever missed the answer gets it again, and the upload is used once.
  const repeated = await products.attachUpload({ code, upload: sent })
  expect(repeated.attachments).toEqual(attachments)
  expect((await products.get({ code })).history).toHaveLength(1)
  await products.changeMany({ codes: [code], status: 'HIDDEN' })
  await staff.withVersion(repeated.version).admin.products.changeParts({ code, attachments: [] })
  const removed = await failureOf(products.attachUpload({ code, upload: sent }))
  expect(removed.problem.errors).toEqual(missing)
})

test('a download has its name in the language of the member, with the ending of the stored one', async () => {
  const { tenant, staff, product, upload, products } = await arrange()
  const { code, id } = product
  const added = await products.attachUpload({ code, upload: await upload('Score.pdf', Buffer.from('score')) })
  const [file] = added.attachments
  const translate = (version: string, name: string) =>
    staff.withVersion(version).admin.products.changeParts({
      code,
      attachments: [{ id: file!.id, name: 'Score.pdf', confirmationText: null, translations: { ko: { name } } }],
    })
  const { version } = await translate(added.version, '악보.pdf')
  const { token } = await tenant.createMember()
  const download = async (language: string) => {
    const client = api.client(tenant.code, { token, headers: { 'accept-language': language } })
    const { url, name } = await client.catalog.confirmAttachment({ id, attachmentId: file!.id })
    const { status, headers } = await media.get(url, asMember(token))
    const disposition = decodeURIComponent(headers['content-disposition'] ?? '')
    return [status, name, /[^"'=]+\.pdf(?="?$)/.exec(disposition)?.[0]]
  }
  expect(await download('ko')).toEqual([200, '악보.pdf', '악보.pdf'])
  expect(await download('ja')).toEqual([200, 'Score.pdf', 'Score.pdf'])
  await translate(version, '악보 1.2')
  expect(await download('ko')).toEqual([200, '악보 1.2.pdf', '악보 1.2.pdf'])
})

test('requests for the same upload at once add its file once', async () => {
  const { tenant, product, upload, products } = await arrange()
  const { code } = product
  const sent = await upload('score.pdf', Buffer.alloc(2 * 1024 * 1024, 'score '))
  const answers = await Promise.all([1, 2, 3].map(() => products.attachUpload({ code, upload: sent })))
  const { attachments } = await products.parts({ code })
  expect(attachments).toMatchObject([{ name: 'score.pdf' }])
  for (const answer of answers) expect(answer.attachments).toEqual(attachments)
  expect((await products.get({ code })).history).toHaveLength(1)
  // A product of its own does not take what another one has.
  const other = await tenant.createProduct({ access: 'MEMBER', price: null, file: false })
  const refused = await failureOf(products.attachUpload({ code: other.code, upload: sent }))
  expect(Object.keys(refused.problem.errors)).toEqual(['upload'])
})

test('an upload that is added to two products at once is in the first, and is not there for the second', async () => {
  const { tenant, product, upload, products } = await arrange()
  const { code: other } = await tenant.createProduct({ access: 'MEMBER', price: null, file: false })
  const sent = await upload('score.pdf', Buffer.alloc(2 * 1024 * 1024, 'score '))
  const results = await Promise.allSettled(
    [product.code, other].map((code) => products.attachUpload({ code, upload: sent })),
  )
  const [refused] = results.flatMap((result) => (result.status === 'rejected' ? [Promise.reject(result.reason)] : []))
  expect((await failureOf(refused!)).problem).toMatchObject({ code: 'VALIDATION_FAILED', errors: missing })
  expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
})

test('an upload that another process adds meanwhile to another product is not there', async () => {
  const { tenant, product, upload, products } = await arrange()
  const sent = await upload('score.pdf', Buffer.from('score'))
  const put = vi.spyOn(api.deps.storage, 'put').mockImplementationOnce(async () => {
    const folder = join(api.deps.dataFolder, 'uploads', tenant.id)
    for (const name of [sent, `${sent}.json`]) rmSync(join(folder, name))
    throw new Error('The file is not there')
  })
  const { problem } = await failureOf(products.attachUpload({ code: product.code, upload: sent }))
  put.mockRestore()
  expect(problem).toMatchObject({ code: 'VALIDATION_FAILED', errors: missing })
})

test('a request that fails leaves the next of the same upload to add its file', async () => {
  const { product, upload, products } = await arrange()
  const { code } = product
  const sent = await upload('score.pdf', Buffer.alloc(2 * 1024 * 1024, 'score '))
  const put = vi.spyOn(api.deps.storage, 'put').mockRejectedValueOnce(new Error('The storage is away'))
  const results = await Promise.allSettled([1, 2, 3, 4].map(() => products.attachUpload({ code, upload: sent })))
  // Each waits for the one before it, so that the file is stored once.
  expect(put).toHaveBeenCalledTimes(2)
  put.mockRestore()
  expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'fulfilled', 'fulfilled', 'rejected'])
  expect((await products.parts({ code })).attachments).toMatchObject([{ name: 'score.pdf' }])
})

test('an upload that is too large, empty or of another store is refused, and nothing is added', async () => {
  const { tenant, product, upload, products } = await arrange()
  const { code } = product
  const sent = await upload('small.zip', Buffer.from('small'))
  const folder = join(api.deps.dataFolder, 'uploads', tenant.id)
  const grow = async (bytes: number) => {
    const { readFile, writeFile } = await import('node:fs/promises')
    const record = JSON.parse(await readFile(join(folder, `${sent}.json`), 'utf8'))
    await writeFile(join(folder, `${sent}.json`), JSON.stringify({ ...record, size: bytes }))
    ftruncateSync(openSync(join(folder, sent), 'r+'), bytes)
  }
  await grow(2 * 1024 ** 3 + 1)
  const large = await failureOf(products.attachUpload({ code, upload: sent }))
  expect(large.problem.errors).toEqual({ upload: ['Choose a file of at most 2 GB.'] })
  await grow(0)
  const empty = await failureOf(products.attachUpload({ code, upload: sent }))
  expect(empty.problem.errors).toEqual({ upload: ['Choose a file that is not empty.'] })
  const other = await arrange()
  const foreign = await failureOf(other.products.attachUpload({ code: other.product.code, upload: sent }))
  expect(Object.keys(foreign.problem.errors)).toEqual(['upload'])
  const analyst = await tenant.createStaff('ANALYST')
  expect((await failureOf(analyst.client.admin.products.attachUpload({ code, upload: sent }))).status).toBe(403)
  expect((await products.parts({ code })).attachments).toEqual([])
})
