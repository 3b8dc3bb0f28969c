import type { Customer } from '@portone/server-sdk/common'
import type { Buyer } from '../port.ts'

/** Korean numbers as Korea writes them; others as they are. */
const phoneNumber = (phone: string | null) => (phone === null ? {} : { phoneNumber: phone.replace(/^\+82/, '0') })

/** A buyer as PortOne's script knows them. */
export const inBrowser = ({ name, email, phone }: Buyer) => ({ fullName: name, email, ...phoneNumber(phone) })

/** A buyer as its API knows them. */
export const inApi = ({ name, email, phone }: Buyer) => ({ name: { full: name }, email, ...phoneNumber(phone) })

/** Whose card a billing key is: its gateway wants to hear it again with each charge. */
export const again = ({ id, name, email, phoneNumber: phone }: Customer) => ({
  ...(id ? { id } : {}),
  ...(name ? { name: { full: name } } : {}),
  ...(email ? { email } : {}),
  ...(phone ? { phoneNumber: phone } : {}),
})
