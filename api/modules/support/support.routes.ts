import { buffer } from 'node:stream/consumers'
import { invalid } from '#api/modules/identity/profile.ts'
import { secretFor } from '#api/platform/crypto.ts'
import { newId } from '#api/platform/db/columns.ts'
import { ApiError } from '#api/platform/http/problems.ts'
import {
  implementProcedures,
  operatorOf,
  type ProcedureContext,
  staffOf,
  transact,
  transactAsMember,
  transactAsOperator,
  unwrap,
} from '#api/platform/http/procedures.ts'
import { callerKey, callerLocale, consumeLimit, ifMatch, limited } from '#api/platform/http/request-facts.ts'
import { hourSeconds, type LimitKinds, minuteSeconds } from '#api/platform/limits/rate-limits.ts'
import { type MediaStorage, safeFileName, uploadedTypeOf } from '#api/platform/storage/storage.ts'
import type { InquiryFileId } from '#contract/ids.ts'
import { longestFileName } from '#contract/support.ts'
import { closeCase, pageCases } from './cases.ts'
import {
  createInquiry,
  getInquiry,
  inquiryFileKey,
  inquiryTypesOf,
  listInquiries,
  reply,
  type StoredFile,
  saveFile,
} from './inquiries.ts'
import { assignInquiries, assignInquiry } from './inquiry-assignments.ts'
import {
  changeReply,
  changeTopics,
  createReply,
  listReplies,
  removeReply,
  saveDraft,
  viewTopics,
} from './prepared-texts.ts'
import {
  answerInquiry,
  findStoreInquiryFile,
  listInquiryFacets,
  pageInquiries,
  saveOperatorFile,
  setOpen,
  viewInquiryForStaff,
} from './staff-inquiries.ts'

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

/** Stores an uploaded file and records it with `save`, without which it is removed again. */
const storeFile = async <Saved>(
  context: ProcedureContext<SupportDeps>,
  file: File,
  save: (described: StoredFile) => Promise<Saved>,
): Promise<Saved> => {
  const { customer, deps } = context
  if (file.name.length > longestFileName) unwrap(invalid(callerLocale(context), 'file', 'fileName'))
  // Consumed before the file is stored. Refused files count too, because each was written once.
  consumeLimit(deps.limits.inquiryFiles, callerKey(context))
  const id = newId<InquiryFileId>()
  const key = inquiryFileKey(customer.id, id)
  const content = new Uint8Array(await file.arrayBuffer())
  await deps.storage.put(key, content)
  const { name, size: bytes } = file
  try {
    return await save({ id, name: safeFileName(name), contentType: uploadedTypeOf(file.type, content), bytes })
  } catch (error) {
    await deps.storage.remove(key)
    throw error
  }
}

export const supportProcedures = {
  inquiryTypes: os.support.inquiryTypes.handler(({ context }) =>
    transactAsMember(context, async (ctx) => ({ items: [...(await inquiryTypesOf(ctx, { isOffered: true }))] })),
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
  sendFile: os.support.sendFile.handler(({ context, input: { file } }) =>
    storeFile(context, file, (described) =>
      transactAsMember(context, (ctx) => saveFile(ctx, described, mediaSecret(context))),
    ),
  ),
}

/** Procedures of staff who answer inquiries. */
export const inquiryProcedures = {
  list: os.admin.inquiries.list.handler(({ context, input }) => transact(context, (ctx) => pageInquiries(ctx, input))),
  facets: os.admin.inquiries.facets.handler(({ context }) => transact(context, listInquiryFacets)),
  assignMany: os.admin.inquiries.assignMany.handler(({ context, input }) =>
    transactAsOperator(context, (ctx, by) => assignInquiries(ctx, by, input)),
  ),
  get: os.admin.inquiries.get.handler(({ context, input }) =>
    transact(context, (ctx) => viewInquiryForStaff(ctx, context.operator, input.code)),
  ),
  file: os.admin.inquiries.file.handler(async ({ context, input }) => {
    const { asset, name } = await transact(context, (ctx) => findStoreInquiryFile(ctx, input))
    const content = await (await context.deps.storage.open(asset))?.read()
    if (!content) throw new ApiError('NOT_FOUND')
    return new File([new Uint8Array(await buffer(content))], name, { type: 'application/octet-stream' })
  }),
  sendFile: os.admin.inquiries.sendFile.handler(({ context, input: { code, file } }) =>
    storeFile(context, file, (described) =>
      transact(context, (ctx) => saveOperatorFile(ctx, operatorOf(context), { ...described, code })),
    ),
  ),
  assign: os.admin.inquiries.assign.handler(async ({ context, input }) => {
    await transactAsOperator(context, (ctx, by) => assignInquiry(ctx, by, { ...input, expected: ifMatch(context) }))
  }),
  saveDraft: os.admin.inquiries.saveDraft.handler(async ({ context, input }) => {
    await transact(context, (ctx) => saveDraft(ctx, staffOf(context), input))
  }),
  answer: os.admin.inquiries.answer.handler(async ({ context, input }) => {
    await transactAsOperator(context, (ctx, by) =>
      answerInquiry(ctx, { by, operator: context.operator }, { ...input, expected: ifMatch(context) }),
    )
  }),
  close: os.admin.inquiries.close.handler(async ({ context, input }) => {
    const change = { ...input, isOpen: false, expected: ifMatch(context) }
    await transactAsOperator(context, (ctx, by) => setOpen(ctx, by, change))
  }),
  reopen: os.admin.inquiries.reopen.handler(async ({ context, input }) => {
    const change = { ...input, isOpen: true, expected: ifMatch(context) }
    await transactAsOperator(context, (ctx, by) => setOpen(ctx, by, change))
  }),
}

/** Procedures of staff who keep texts for their answers. */
export const savedReplyProcedures = {
  list: os.admin.savedReplies.list.handler(({ context }) => transact(context, listReplies)),
  create: os.admin.savedReplies.create.handler(({ context, input }) =>
    transactAsOperator(context, (ctx, by) => createReply(ctx, by, input)),
  ),
  change: os.admin.savedReplies.change.handler(({ context, input }) =>
    transactAsOperator(context, (ctx, by) => changeReply(ctx, by, { ...input, expected: ifMatch(context) })),
  ),
  delete: os.admin.savedReplies.delete.handler(async ({ context, input }) => {
    await transactAsOperator(context, (ctx, by) => removeReply(ctx, by, { ...input, expected: ifMatch(context) }))
  }),
}

/** Procedures of the topics that members choose from. */
export const inquiryTopicProcedures = {
  read: os.admin.inquiryTopics.read.handler(({ context }) => transact(context, viewTopics)),
  change: os.admin.inquiryTopics.change.handler(({ context, input }) =>
    transactAsOperator(context, (ctx, by) => changeTopics(ctx, by, { ...input, expected: ifMatch(context) })),
  ),
}

/** Procedures of staff who close cases. */
export const caseProcedures = {
  list: os.admin.cases.list.handler(({ context, input }) => transact(context, (ctx) => pageCases(ctx, input))),
  close: os.admin.cases.close.handler(async ({ context, input }) => {
    await transactAsOperator(context, (ctx, by) => closeCase(ctx, by, input))
  }),
}
