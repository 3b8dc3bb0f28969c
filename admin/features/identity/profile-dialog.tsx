import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import * as z from 'zod/mini'
import type { memberChange, storeMember } from '#contract/admin/members.ts'
import { locale } from '#contract/enumerations.ts'
import { Checkbox } from '~/ui/choice'
import { Select } from '~/ui/select'
import { useAdminApi } from '../../platform/admin-api'
import { useSettings } from '../../platform/settings'
import { useWrite } from '../../platform/use-write'
import type { Texts } from '../../ui/form'
import { storeLanguages } from '../../ui/store-languages'
import { TextField } from '../../ui/text-field'
import { MemberDialog } from './member-dialog'

type Member = z.output<typeof storeMember>
type Change = z.input<typeof memberChange>

/** The address in the fields; null if they are empty. */
const addressIn = ({ postcode = '', road = '', detail = '' }: Texts) =>
  `${postcode}${road}${detail}`.trim() === '' ? null : { postcode, road, detail }

/** What the fields change of a member. */
const changeIn = (member: Member, texts: Texts): Omit<Change, 'id' | 'reason'> => {
  const { name = '', phone = '', language = '', withdraws } = texts
  const address = addressIn(texts)
  return {
    ...(name.trim() !== member.name && { name }),
    ...(phone.trim() !== (member.phone ?? '') && { phone: phone.trim() || null }),
    ...(JSON.stringify(address) !== JSON.stringify(addressIn(member.address ?? {})) && { address }),
    ...(language && language !== member.locale && { locale: z.parse(locale, language) }),
    ...(withdraws !== undefined && { marketing: false }),
  }
}

/** Changes the profile of a member. A consent to marketing can only be withdrawn. */
export function ProfileDialog({ member: given, onClose }: { member: Member; onClose: () => void }) {
  const { t } = useLingui()
  // The version belongs to what is in the form.
  const [member] = useState(given)
  const { members } = useAdminApi().admin
  const { locales } = useSettings().base
  const { id, version } = member
  const languages = [...new Set([...locales, ...(member.locale ? [member.locale] : [])])]
  const write = useWrite(
    ({ reason = '', ...texts }: Texts) =>
      members.change({ id, reason, ...changeIn(member, texts) }, { context: { ifMatch: version } }),
    { done: t`Profile saved`, changes: [['member', id], ['members']], onClose },
  )
  const fields = write.failure?.fields
  const errorOf = (field: string) => fields?.[field]
  return (
    <MemberDialog
      title={<Trans>Change the profile</Trans>}
      action={<Trans>Save</Trans>}
      write={write}
      changed={['member', id]}
      onLoaded={onClose}
      onClose={onClose}
    >
      <TextField
        label={t`Name`}
        name="name"
        defaultValue={member.name}
        autoComplete="off"
        maxLength={80}
        error={errorOf('name')}
      />
      <TextField
        label={t`Phone`}
        name="phone"
        type="tel"
        dir="ltr"
        defaultValue={member.phone ?? ''}
        autoComplete="off"
        maxLength={30}
        error={errorOf('phone')}
      />
      <TextField
        label={t`Postcode`}
        name="postcode"
        defaultValue={member.address?.postcode}
        autoComplete="off"
        maxLength={12}
        error={errorOf('address.postcode')}
      />
      <TextField
        label={t`Address`}
        name="road"
        defaultValue={member.address?.road}
        autoComplete="off"
        maxLength={200}
        error={errorOf('address.road')}
      />
      <TextField
        label={t`Building, floor, door`}
        name="detail"
        defaultValue={member.address?.detail}
        autoComplete="off"
        maxLength={200}
        error={errorOf('address.detail')}
      />
      <Select
        label={t`Language`}
        name="language"
        defaultValue={member.locale ?? ''}
        options={[
          ...(member.locale ? [] : [{ value: '', label: t`Not chosen` }]),
          ...languages.map((value) => ({ value, label: storeLanguages[value] })),
        ]}
        error={errorOf('locale')}
      />
      {member.marketing && (
        <Checkbox
          label={t`Withdraw the consent to marketing emails`}
          hint={t`Only the member can consent again.`}
          name="withdraws"
        />
      )}
    </MemberDialog>
  )
}
