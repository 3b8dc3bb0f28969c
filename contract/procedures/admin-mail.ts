import { csvFile } from '../admin/lists.ts'
import { mailServerChange, mailServerTested, storeMailServer } from '../admin/mail-servers.ts'
import {
  queuedMail,
  storeMail,
  storeMailExport,
  storeMailHtml,
  storeMailPage,
  storeMailPath,
  storeMailQuery,
  storeTestMail,
  suppressedExport,
  suppressedForm,
  suppressedPage,
  suppressedPath,
  suppressedQuery,
} from '../admin/mails.ts'
import { procedure } from './procedure.ts'

export const mailProcedures = {
  list: procedure('operator', 'GET', '/admin/mails', {
    tag: 'Admin: emails',
    permission: 'mails:read',
    summary: 'List emails',
    description: 'Returns the latest first.',
  })
    .input(storeMailQuery)
    .output(storeMailPage),
  export: procedure('operator', 'GET', '/admin/mails.csv', {
    tag: 'Admin: emails',
    permission: 'mails:read',
    summary: 'Export the log of emails as CSV',
    description:
      'Returns all emails that fit the filters, without subjects and contents, as a stream. The audit log names the export.',
  })
    .input(storeMailExport)
    .output(csvFile),
  get: procedure('operator', 'GET', '/admin/mails/{id}', {
    tag: 'Admin: emails',
    permission: 'mails:read',
    summary: 'Retrieve an email',
    description:
      'With its subject and text as they were sent. They are null in emails with a code or a link for the recipient alone, and after 90 days the email is deleted.',
  })
    .input(storeMailPath)
    .output(storeMail),
  html: procedure('operator', 'GET', '/admin/mails/{id}/html', {
    tag: 'Admin: emails',
    permission: 'mails:read',
    summary: 'Retrieve an email as it was sent',
    description:
      'A document without scripts, which a page of the store may frame; its links open outside of the frame. Answers NOT_FOUND where `hasHtml` is false.',
  })
    .input(storeMailPath)
    .output(storeMailHtml),
  resend: procedure('operator', 'POST', '/admin/mails/{id}/resend', {
    tag: 'Admin: emails',
    permission: 'mails:write',
    summary: 'Send an email again',
    description:
      'Queues an email that was not sent, or a copy of one that was sent, and returns the id of what it queued. Of an email at most one copy a minute is made. Answers VALIDATION_FAILED for an email that is queued, whose code or link has expired, or whose content was deleted once it was sent.',
  })
    .input(storeMailPath)
    .output(queuedMail),
  sendTest: procedure('operator', 'POST', '/admin/mails/test', {
    tag: 'Admin: emails',
    permission: 'mails:write',
    summary: 'Send a test email',
    description:
      'It goes the way of all emails; the list of emails shows what became of it. At most one a minute for an address.',
    status: 204,
  }).input(storeTestMail),
  suppressed: procedure('operator', 'GET', '/admin/suppressed-addresses', {
    tag: 'Admin: emails',
    permission: 'mails:read',
    summary: 'List addresses that nothing is sent to',
    description:
      'Returns the latest first. An address that the email server has refused for good is tried again after 30 days.',
  })
    .input(suppressedQuery)
    .output(suppressedPage),
  exportSuppressed: procedure('operator', 'GET', '/admin/suppressed-addresses.csv', {
    tag: 'Admin: emails',
    permission: 'mails:read',
    summary: 'Export addresses that nothing is sent to as CSV',
    description: 'Returns all addresses that fit the search as a stream. The audit log names the export.',
  })
    .input(suppressedExport)
    .output(csvFile),
  suppress: procedure('operator', 'POST', '/admin/suppressed-addresses', {
    tag: 'Admin: emails',
    permission: 'mails:write',
    summary: 'Send nothing more to an address',
    status: 204,
  }).input(suppressedForm),
  release: procedure('operator', 'DELETE', '/admin/suppressed-addresses/{address}', {
    tag: 'Admin: emails',
    permission: 'mails:write',
    summary: 'Send to an address again',
    status: 204,
  }).input(suppressedPath),
}

// Whoever names the server reads all emails of the store, with the links that set a password.
const mailServer = { tag: 'Admin: mail server', permission: 'settings:write', secondFactor: true } as const

export const mailServerProcedures = {
  read: procedure('operator', 'GET', '/admin/mail-server', {
    tag: mailServer.tag,
    permission: 'settings:read',
    summary: 'Retrieve the mail server of the store',
    description: 'The password is not returned. `outage` says since when the server takes no emails, and why.',
  }).output(storeMailServer),
  save: procedure('operator', 'PUT', '/admin/mail-server', {
    ...mailServer,
    summary: 'Set the mail server of the store',
    versioned: true,
    description:
      'It is saved once the server has accepted a connection and the sign-in. Answers VALIDATION_FAILED with the field to change and the answer of the server. The address must be public. Emails about staff accounts go through the server of the installation all the same.',
  })
    .input(mailServerChange)
    .output(storeMailServer),
  remove: procedure('operator', 'DELETE', '/admin/mail-server', {
    ...mailServer,
    summary: 'Remove the mail server of the store',
    versioned: true,
    status: 200,
    description: 'The server of the installation then sends its emails, also those that wait.',
  }).output(storeMailServer),
  sendTest: procedure('staff', 'POST', '/admin/mail-server/test', {
    ...mailServer,
    summary: 'Send a test email to the signed-in person through the mail server of the store',
    description:
      'It is sent at once, and the answer has what the server said. Answers NOT_FOUND without such a server.',
  }).output(mailServerTested),
}
