import { expect, test } from 'vitest'
import { mailTemplates } from '#api/mail-templates.ts'
import { templateLabels } from '../../admin/features/mail/template-labels'

test('the console has a label for each email that a store sends, and for no other', () => {
  expect(Object.keys(templateLabels).toSorted()).toEqual(mailTemplates.map(({ name }) => name).toSorted())
})
