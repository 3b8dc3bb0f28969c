import { msg } from '@lingui/core/macro'
import type { SettingField } from './settings-form'

/** What visitors and search engines read about the store. */
export const storeFields: readonly SettingField[] = [
  { name: 'base.name', kind: 'line', label: msg`Name`, maxLength: 100, isRequired: true },
  {
    name: 'seo.title',
    kind: 'line',
    label: msg`Title of the home page`,
    hint: msg`Shown in the browser’s tab and by search engines.`,
    maxLength: 200,
  },
  {
    name: 'seo.description',
    kind: 'text',
    label: msg`Description`,
    hint: msg`One or two sentences for search engines and shared links.`,
    maxLength: 500,
  },
  {
    name: 'base.displayType',
    kind: 'choice',
    label: msg`The header shows`,
    options: [
      { value: 'TEXT', label: msg`The name` },
      { value: 'LOGO', label: msg`The logo` },
      { value: 'LOGO_TEXT', label: msg`The logo and the name` },
    ],
  },
  {
    name: 'base.lessonTerm',
    kind: 'choice',
    label: msg`The videos of a product are called`,
    options: [
      { value: 'EPISODE', label: msg`Episodes` },
      { value: 'LESSON', label: msg`Lessons` },
    ],
  },
  { name: 'seo.use', kind: 'switch', label: msg`Search engines may list the store` },
  {
    name: 'seo.publicUrl',
    kind: 'line',
    label: msg`Address for search engines`,
    hint: msg`Only where the store has several addresses, for example https://films.example.com.`,
    type: 'url',
    maxLength: 300,
  },
]

/** Facts that the law requires of sellers. They are shown at the end of every page. */
export const companyFields: readonly SettingField[] = [
  { name: 'business.company', kind: 'line', label: msg`Company name`, maxLength: 200 },
  { name: 'business.representative', kind: 'line', label: msg`Representative`, maxLength: 100 },
  { name: 'business.registrationNumber', kind: 'line', label: msg`Registration number`, maxLength: 60 },
  {
    name: 'business.mailOrderNumber',
    kind: 'line',
    label: msg`Mail-order registration number`,
    hint: msg`Required in Korea.`,
    maxLength: 60,
  },
  { name: 'business.address', kind: 'line', label: msg`Postal address`, maxLength: 300 },
  { name: 'business.phone', kind: 'line', label: msg`Phone number`, type: 'tel', maxLength: 40 },
  { name: 'business.email', kind: 'line', label: msg`Email address for members`, type: 'email', maxLength: 254 },
]

export const memberFields: readonly SettingField[] = [
  { name: 'operation.useJoin', kind: 'switch', label: msg`Visitors can sign up` },
  { name: 'operation.useLogin', kind: 'switch', label: msg`Only members see the store` },
  { name: 'operation.useComment', kind: 'switch', label: msg`Products have comments` },
  {
    name: 'operation.commentPolicy',
    kind: 'choice',
    label: msg`Who may comment`,
    options: [
      { value: 'MEMBERS', label: msg`All members` },
      { value: 'BUYERS', label: msg`Members who own the product` },
    ],
  },
  { name: 'order.useInquiry', kind: 'switch', label: msg`Members can send inquiries` },
  {
    name: 'operation.deviceLimit',
    kind: 'number',
    label: msg`Devices per member`,
    hint: msg`0 for no limit.`,
    min: 0,
    max: 1000,
  },
  {
    name: 'operation.streamLimit',
    kind: 'number',
    label: msg`Simultaneous streams per member`,
    hint: msg`0 for no limit. Each plan has its own.`,
    min: 0,
    max: 1000,
  },
  { name: 'operation.watermark', kind: 'switch', label: msg`Streams show a watermark of the member` },
  {
    name: 'operation.retentionDays',
    kind: 'number',
    label: msg`Days for which carts and views of guests are kept`,
    hint: msg`0 for ever.`,
    min: 0,
    max: 36_500,
  },
]

export const salesFields: readonly SettingField[] = [
  { name: 'order.usePayment', kind: 'switch', label: msg`Products are sold individually` },
  { name: 'order.useSubscribe', kind: 'switch', label: msg`Plans are offered` },
  { name: 'order.useFree', kind: 'switch', label: msg`Products that cost nothing are offered` },
  {
    name: 'order.methods',
    kind: 'list',
    label: msg`Payment methods`,
    options: [
      { value: 'CARD', label: msg`Card` },
      { value: 'BANK', label: msg`Bank transfer` },
    ],
  },
  {
    name: 'order.depositHours',
    kind: 'number',
    label: msg`Hours to wait for a bank transfer`,
    hint: msg`The payment provider gives each order an account of its own.`,
    min: 1,
    max: 8760,
  },
  {
    name: 'order.refundDays',
    kind: 'number',
    label: msg`Days in which unopened titles can be refunded`,
    min: 0,
    max: 3650,
  },
  {
    name: 'order.refundPolicy.text',
    kind: 'text',
    label: msg`Refund policy`,
    hint: msg`Buyers accept it with each order.`,
    maxLength: 5000,
    isRequired: true,
  },
  {
    name: 'order.refundPolicy.version',
    kind: 'line',
    label: msg`Version of the refund policy`,
    hint: msg`Change it with the text, for example to the day. Each order keeps the version that was accepted.`,
    maxLength: 40,
    isRequired: true,
  },
]
