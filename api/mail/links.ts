/**
 * Stands for the store's origin in a mail that waits. Mails are also written by jobs, which come by no address of the store; which one
 * it has is asked when the mail leaves.
 */
export const storeOrigin = 'store-origin:'

/** Puts the store's origin in front of the paths of a mail. */
export const withLinks = <Mail extends { text: string; html: string }>(mail: Mail, origin: string): Mail => ({
  ...mail,
  text: mail.text.replaceAll(`${storeOrigin}/`, `${origin}/`),
  html: mail.html.replaceAll(`href="${storeOrigin}/`, `href="${origin}/`),
})
