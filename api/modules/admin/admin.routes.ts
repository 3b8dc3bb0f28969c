import { type PaymentDeps, paymentCtx } from '#api/modules/billing/payment-states.ts'
import { acceptCancel, rejectCancel } from '#api/modules/billing/refund-decisions.ts'
import { refundOrder } from '#api/modules/billing/refunds.ts'
import {
  approveComment,
  commentsToReview,
  hideComment,
  listCommentsToReview,
  replyAsStore,
} from '#api/modules/engagement/comments.ts'
import { signMemberOut } from '#api/modules/identity/sessions.ts'
import { answerInquiry, listWaitingInquiries, showInquiry } from '#api/modules/support/cases.ts'
import {
  implementProcedures,
  operatorName,
  transact,
  transactAsOperator,
  unwrap,
} from '#api/platform/http/procedures.ts'
import {
  addNote,
  listOpenCancelRequests,
  pageAudit,
  pageMembers,
  pageOrders,
  refuseOldOrder,
  viewStoreMember,
  viewStoreOrder,
} from './store-orders.ts'

const os = implementProcedures<PaymentDeps>().admin

const maxComments = 200

const orders = {
  list: os.orders.list.handler(({ context, input }) => transact(context, (ctx) => pageOrders(ctx, input))),
  get: os.orders.get.handler(({ context, input }) => transact(context, (ctx) => viewStoreOrder(ctx, input.code))),
  refund: os.orders.refund.handler(async ({ context, input: { itemIds, ...input } }) => {
    const by = operatorName(context)
    const expected = context.headers.get('if-match')
    await transact(context, (ctx) => refuseOldOrder(ctx, input.code, expected))
    const answer = unwrap(await refundOrder(paymentCtx(context), { ...input, itemIds, productCodes: [], by }))
    const { step, amount, currency, titles } = answer
    return { step, amount: { amount, currency }, titles }
  }),
  acceptCancel: os.orders.acceptCancel.handler(async ({ context, input: { code } }) =>
    unwrap(await acceptCancel(paymentCtx(context), { code, by: operatorName(context) })),
  ),
  rejectCancel: os.orders.rejectCancel.handler(async ({ context, input }) => {
    await transactAsOperator(context, (ctx, by) => rejectCancel(ctx, { ...input, by }))
  }),
  openRefunds: os.orders.openRefunds.handler(async ({ context }) => {
    const rows = await transact(context, listOpenCancelRequests)
    return { items: rows.map(({ amount, currency, ...row }) => ({ ...row, amount: { amount, currency } })) }
  }),
  addNote: os.orders.addNote.handler(async ({ context, input: { code, text } }) => {
    await transactAsOperator(context, (ctx, by) => addNote(ctx, by, { order: code }, text))
  }),
}

const members = {
  list: os.members.list.handler(({ context, input }) => transact(context, (ctx) => pageMembers(ctx, input))),
  get: os.members.get.handler(({ context, input }) => transact(context, (ctx) => viewStoreMember(ctx, input.id))),
  signOut: os.members.signOut.handler(async ({ context, input }) => {
    await transactAsOperator(context, (ctx, by) => signMemberOut(ctx, by, input.id))
  }),
  addNote: os.members.addNote.handler(async ({ context, input: { id, text } }) => {
    await transactAsOperator(context, (ctx, by) => addNote(ctx, by, { member: id }, text))
  }),
}

const comments = {
  queue: os.comments.queue.handler(({ context }) =>
    transact(context, async (ctx) => ({
      items: await listCommentsToReview(ctx, maxComments),
      ...(await commentsToReview(ctx)),
    })),
  ),
  approve: os.comments.approve.handler(async ({ context, input }) => {
    await transactAsOperator(context, (ctx, by) => approveComment(ctx, by, input.id))
  }),
  hide: os.comments.hide.handler(async ({ context, input: { id, note = null } }) => {
    await transactAsOperator(context, (ctx, by) => hideComment(ctx, by, { id, note }))
  }),
  reply: os.comments.reply.handler(async ({ context, input }) => {
    await transactAsOperator(context, (ctx, by) => replyAsStore(ctx, by, input))
  }),
}

const inquiries = {
  queue: os.inquiries.queue.handler(async ({ context }) => ({ items: await transact(context, listWaitingInquiries) })),
  get: os.inquiries.get.handler(async ({ context, input }) => {
    const { inquiry, messages } = await transact(context, (ctx) => showInquiry(ctx, input.code))
    return { ...inquiry, messages: messages.map(({ message, files }) => ({ ...message, files })) }
  }),
  answer: os.inquiries.answer.handler(async ({ context, input }) => {
    await transactAsOperator(context, (ctx, by) => answerInquiry(ctx, by, input))
  }),
}

export const adminProcedures = {
  audit: os.audit.handler(({ context, input }) => transact(context, (ctx) => pageAudit(ctx, input))),
  orders,
  members,
  comments,
  inquiries,
}
