import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useAdminApi } from '../../platform/admin-api'
import { useFormat } from '../../platform/format'
import { DataList } from '../../ui/data-list'
import { Page } from '../../ui/page'
import { Loaded } from '../../ui/states'
import { inquiriesQuery } from './support.queries'

/** The types that every store has. A type of the store’s own is shown by its code. */
const types: Readonly<Record<string, MessageDescriptor>> = {
  PRODUCT: msg`A title`,
  ORDER: msg`Orders and payments`,
  ACCOUNT: msg`Account`,
  ETC: msg`Other`,
}

/** Inquiries that await an answer, the longest waiting first. */
export function InquiryList() {
  const { t, i18n } = useLingui()
  const typeName = (type: string) => {
    const label = types[type]
    return label ? i18n._(label) : type
  }
  const { dateTime } = useFormat()
  const inquiries = useQuery(inquiriesQuery(useAdminApi()))
  return (
    <Page title={t`Inquiries`}>
      <Loaded query={inquiries}>
        {({ items }) => (
          <DataList
            label={t`Inquiries`}
            items={items}
            keyOf={({ code }) => code}
            empty={<Trans>Every inquiry is answered.</Trans>}
            columns={[
              {
                key: 'title',
                header: t`Subject`,
                cell: ({ code, title }) => (
                  <Link to="/inquiries/$code" params={{ code }}>
                    <bdi>{title}</bdi>
                  </Link>
                ),
              },
              { key: 'type', header: t`Topic`, isExtra: true, cell: ({ type }) => <bdi>{typeName(type)}</bdi> },
              { key: 'code', header: t`Number`, isExtra: true, cell: ({ code }) => code },
              { key: 'waiting', header: t`Since`, atEnd: true, cell: ({ updatedAt }) => dateTime(updatedAt) },
            ]}
          />
        )}
      </Loaded>
    </Page>
  )
}
