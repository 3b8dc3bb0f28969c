import { buffer } from 'node:stream/consumers'
import { invalid } from '#api/modules/identity/profile.ts'
import { secretFor } from '#api/platform/crypto.ts'
import { newId } from '#api/platform/db/columns.ts'
import { ApiError } from '#api/platform/http/problems.ts'
import {
  implementProcedures,
  type ProcedureContext,
  transact,
  transactAsMember,
  transactAsOperator,
  unwrap,
} from '#api/platform/http/procedures.ts'
import { callerKey, callerLocale, consumeLimit, limited } from '#api/platform/http/request-facts.ts'
import { hourSeconds, type LimitKinds, minuteSeconds } from '#api/platform/limits/rate-limits.ts'
import type { MediaStorage } from '#api/platform/storage/storage.ts'
import type { InquiryFileId } from '#contract/ids.ts'
import { longestFileName } from '#contract/support.ts'
import {
  answerInquiry,
  closeCase,
  findStoreInquiryFile,
  listCases,
  listWaitingInquiries,
  showInquiry,
} from './cases.ts'
import {
  createInquiry,
  getInquiry,
  inquiryFileKey,
  inquiryTypesOf,
  listInquiries,
  reply,
  saveFile,
} from './inquiries.ts'

/** Returns the limits of inquiries, replies and their files, which are stored permanently. */
export const createSupportLimits = ({ inProcess }: LimitKinds) => ({
  inquiries: inProcess(30, 10 * minuteSeconds),
  inquiryFiles: inProcess(60, hourSeconds),
})
type SupportLimits = ReturnType<typeof createSupportLimits>

/** What the procedures of this module need of the process. */
interface SupportDeps {
  /** Holds the files of inquiries. */
  storage: MediaStorage
  limits: SupportLimits
}

const os = implementProcedures<SupportDeps>()

const mediaSecret = ({ deps }: ProcedureContext) => secretFor(deps.secret, 'media')

export const supportProcedures = {
  inquiryTypes: os.support.inquiryTypes.handler(({ context }) =>
    transactAsMember(context, async (ctx) => ({ items: [...(await inquiryTypesOf(ctx))] })),
  ),
  inquiries: os.support.inquiries.handler(({ context, input }) =>
    transactAsMember(context, (ctx) => listInquiries(ctx, input)),
  ),
  inquiry: os.support.inquiry.handler(({ context, input }) =>
    transactAsMember(context, (ctx) => getInquiry(ctx, input.code, mediaSecret(context))),
  ),
  createInquiry: os.support.createInquiry.handler(({ context, input }) =>
    limited(context, context.deps.limits.inquiries, () =>
      transactAsMember(context, (ctx) => createInquiry(ctx, input, mediaSecret(context))),
    ),
  ),
  reply: os.support.reply.handler(({ context, input }) =>
    limited(context, context.deps.limits.inquiries, () =>
      transactAsMember(context, (ctx) => reply(ctx, input, mediaSecret(context))),
    ),
  ),
  sendFile: os.support.sendFile.handler(async ({ context, input: { file } }) => {
    const { customer, deps } = context
    if (file.name.length > longestFileName) unwrap(invalid(callerLocale(context), 'file', 'fileName'))
    // Consumed before the file is stored. Refused files count too, because each was written once.
    consumeLimit(deps.limits.inquiryFiles, callerKey(context))
    const id = newId<InquiryFileId>()
    const key = inquiryFileKey(customer.id, id)
    await deps.storage.put(key, new Uint8Array(await file.arrayBuffer()))
    const { name, size: bytes } = file
    const described = { id, name: name || 'file', contentType: file.type || 'application/octet-stream', bytes }
    try {
      return await transactAsMember(context, (ctx) => saveFile(ctx, described, mediaSecret(context)))
    } catch (error) {
      await deps.storage.remove(key)
      throw error
    }
  }),
}

/** Procedures of staff who answer inquiries. */
export const inquiryProcedures = {
  queue: os.admin.inquiries.queue.handler(async ({ context }) => ({
    items: await transact(context, listWaitingInquiries),
  })),
  get: os.admin.inquiries.get.handler(async ({ context, input }) => {
    const { inquiry, version, messages } = await transact(context, (ctx) => showInquiry(ctx, input.code))
    return { ...inquiry, version, messages: messages.map(({ message, files }) => ({ ...message, files })) }
  }),
  file: os.admin.inquiries.file.handler(async ({ context, input }) => {
    const { asset, name } = await transact(context, (ctx) => findStoreInquiryFile(ctx, input))
    const content = await (await context.deps.storage.open(asset))?.read()
    if (!content) throw new ApiError('NOT_FOUND')
    return new File([new Uint8Array(await buffer(content))], name, { type: 'application/octet-stream' })
  }),
  answer: os.admin.inquiries.answer.handler(async ({ context, input }) => {
    await transactAsOperator(context, (ctx, by) =>
      answerInquiry(ctx, by, { ...input, expected: context.headers.get('if-match') }),
    )
  }),
}

const maxListed = 200

/** Procedures of staff who close cases. */
export const caseProcedures = {
  list: os.admin.cases.list.handler(async ({ context, input }) => ({
    items: await transact(context, (ctx) => listCases(ctx, input.status, maxListed)),
  })),
  close: os.admin.cases.close.handler(async ({ context, input }) => {
    await transactAsOperator(context, (ctx, by) => closeCase(ctx, by, input))
  }),
}
