import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { siteName } from '~/platform/document/head'
import { useSiteSettings } from '~/platform/shell/shell.functions'
import styles from './footer.module.css'

/** Who runs the store, as the law of electronic commerce wants it said. Only what the tenant filled in. */
export function BusinessDetails() {
  const settings = useSiteSettings()
  const { company, representative, registrationNumber, mailOrderNumber, address, phone, email } = settings.business
  const details: { key: string; name: ReactNode; value: ReactNode }[] = [
    { key: 'representative', name: <Trans>Representative</Trans>, value: representative },
    { key: 'registration', name: <Trans>Business registration number</Trans>, value: registrationNumber },
    { key: 'mail-order', name: <Trans>Mail-order registration</Trans>, value: mailOrderNumber },
    { key: 'address', name: <Trans>Address</Trans>, value: address },
    {
      key: 'phone',
      name: <Trans>Phone</Trans>,
      value: phone && <a href={`tel:${phone.replaceAll(' ', '')}`}>{phone}</a>,
    },
    { key: 'email', name: <Trans>Email</Trans>, value: email && <a href={`mailto:${email}`}>{email}</a> },
  ].filter(({ value }) => Boolean(value))
  const owner = company ?? siteName(settings)
  return (
    <div className={styles.business}>
      <p className={styles.company}>
        © <bdi lang={settings.languages[company ? 'business.company' : 'base.name']}>{owner}</bdi>
      </p>
      {details.length > 0 && (
        <dl className={styles.details}>
          {details.map(({ key, name, value }) => (
            <div key={key}>
              <dt>{name}</dt>
              <dd dir="auto" lang={settings.languages[`business.${key}`]}>
                {value}
              </dd>
            </div>
          ))}
        </dl>
      )}
    </div>
  )
}
