import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { hostIn } from '#contract/web-addresses.ts'
import { Button } from '~/ui/button'
import { Notice } from '~/ui/notice'
import { useAdminApi } from '../../platform/admin-api'
import { useMay } from '../../platform/session'
import { useWrite } from '../../platform/use-write'
import { onSubmit } from '../../ui/form'
import form from '../../ui/form.module.css'
import { History } from '../../ui/history'
import { Columns, LoadedPage, Page, Section } from '../../ui/page'
import { TextField } from '../../ui/text-field'
import { DomainItem } from './domain-item'
import { domainChanges, domainsQuery, storeStatusQuery } from './store.queries'

function AddDomain() {
  const { t } = useLingui()
  const { domains } = useAdminApi().admin
  const [host, setHost] = useState('')
  /** The host that was taken out of an address. */
  const [taken, setTaken] = useState<string>()
  const add = useWrite((name: string) => domains.add({ host: name }), {
    done: t`Domain added`,
    changes: domainChanges,
    onDone: () => setHost(''),
  })
  /** Keeps the host of an address that was pasted. */
  const take = () => {
    const name = hostIn(host)
    if (name !== host.trim()) setTaken(name)
    setHost(name)
    return name
  }
  return (
    <Section title={<Trans>Add a domain</Trans>}>
      <form className={form.form} onSubmit={onSubmit(() => add.send(take()))}>
        <TextField
          label={t`Domain`}
          hint={t`For example films.example.com. It has to be yours: you add records to its DNS.`}
          value={host}
          onChange={({ target }) => {
            setHost(target.value)
            setTaken(undefined)
          }}
          maxLength={2000}
          inputMode="url"
          autoCapitalize="none"
          autoComplete="off"
          spellCheck={false}
          dir="ltr"
          required
          error={add.failure && (add.failure.fields.host ?? add.failure.message)}
        />
        {taken && (
          <p role="status">
            <Trans>
              Taken from the address: <bdi>{taken}</bdi>
            </Trans>
          </p>
        )}
        <div className={form.buttons}>
          <Button type="submit" variant="primary" loading={add.isPending}>
            <Trans>Add domain</Trans>
          </Button>
        </div>
      </form>
    </Section>
  )
}

/** Says what the first domain does to a store that is open for a try, or has done. */
function TryNotice() {
  const status = useQuery({ ...storeStatusQuery(useAdminApi()), refetchOnMount: 'always' })
  const { tryState, state, items = [] } = status.data ?? {}
  if (tryState === 'RUNNING')
    return (
      <Notice>
        <Trans>The store is open for a try. It closes when its first domain is verified.</Trans>
      </Notice>
    )
  if (tryState !== 'ENDED' || state !== 'COMING_SOON' || items.some(({ code }) => code === 'LOCAL_HOSTS')) return null
  return (
    <Notice tone="warning">
      <Trans>The try has ended, because visitors can reach the store at its domain now.</Trans>{' '}
      <Link to="/store">
        <Trans>Open the store</Trans>
      </Link>
    </Notice>
  )
}

/** The domains at which the store is shown or is going to be. */
export function DomainsPage() {
  const { t } = useLingui()
  const isAllowed = useMay()('store:write')
  const api = useAdminApi()
  const domains = useQuery(domainsQuery(api))
  const shownAt = domains.data?.items.filter(({ state }) => state === 'VERIFIED').length ?? 0
  return (
    <LoadedPage title={t`Domains`} query={domains}>
      {({ items, history }) => (
        <Page title={t`Domains`}>
          {/* A domain that was verified may have closed the store. */}
          <TryNotice key={shownAt} />
          <Columns aside={<History entries={history} />}>
            <Section title={<Trans>Domains of the store</Trans>}>
              {items.length === 0 ? (
                <p>
                  <Trans>The store has no domain yet.</Trans>
                </p>
              ) : (
                <ul>
                  {items.map((domain) => (
                    <DomainItem
                      key={domain.host}
                      domain={domain}
                      isLast={
                        domain.state === 'VERIFIED' &&
                        !items.some((each) => each !== domain && each.state === 'VERIFIED')
                      }
                    />
                  ))}
                </ul>
              )}
            </Section>
            {isAllowed && <AddDomain />}
          </Columns>
        </Page>
      )}
    </LoadedPage>
  )
}
