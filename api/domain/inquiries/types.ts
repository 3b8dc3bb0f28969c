import type { Ctx } from '#api/context.ts'
import { selectInquiryTypes } from '#api/db/queries/inquiries.ts'
import type { InquiryType } from '#contract/inquiries.ts'

/** What every store can be asked about; the storefront has the words. */
const usual: readonly InquiryType[] = ['PRODUCT', 'ORDER', 'ACCOUNT', 'ETC'].map((code) => ({ code, name: null }))

/** What members of this tenant may ask about: its own list, or the usual one. */
export const inquiryTypesOf = async ({
  db,
  customer,
}: Pick<Ctx, 'db' | 'customer'>): Promise<readonly InquiryType[]> => {
  const own = await selectInquiryTypes(db, customer.id)
  return own.length > 0 ? own : usual
}
