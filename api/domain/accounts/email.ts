/** The form an e-mail address is found by: two spellings of one mailbox are one member. */
export const lowerEmail = (email: string) => email.trim().normalize('NFKC').toLowerCase()
