import { Trans, useLingui } from '@lingui/react/macro'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type LinkProps, useNavigate } from '@tanstack/react-router'
import { type KeyboardEvent, useId, useRef, useState } from 'react'
import { Dialog } from '~/ui/dialog'
import { Icon, type IconName } from '~/ui/icon'
import { TextField } from '~/ui/text-field'
import { plansQuery } from '../features/catalog/products.queries'
import { useStoresApi } from '../features/tenancy/stores.queries'
import { useAdminApi } from '../platform/admin-api'
import { useApi } from '../platform/client'
import { useMay } from '../platform/session'
import { useSettled } from '../platform/use-settled'
import { areas, mayOpen, requirementOf } from './areas'
import { ownStoresQuery } from './own-stores'
import styles from './palette.module.css'
import { pages } from './palette-pages'

interface Found {
  key: string
  icon: IconName
  title: string
  detail: string
  /** A page of this console, or the address of another one. */
  link: LinkProps | { href: string }
}

/** Milliseconds after the last key until the API is asked. */
const pause = 200
/** Objects of each kind. */
const size = 5

/** The pages whose names contain the text. Without one, those of the menu. */
const usePages = (q: string): Found[] => {
  const { t, i18n } = useLingui()
  const may = useMay()
  const text = q.toLowerCase()
  const below = (text === '' ? [] : pages).flatMap(({ names, ...page }) =>
    names.map((label) => ({ ...page, label, area: areas.find(({ to }) => to === page.area) })),
  )
  return [...areas.map((area) => ({ ...area, hash: undefined, area: undefined })), ...below]
    .filter(({ to, label }) => {
      const requirement = areas.find((area) => area.to === to) ?? requirementOf(to)
      return (!requirement || mayOpen(requirement, may)) && i18n._(label).toLowerCase().includes(text)
    })
    .map(({ to, hash, label, icon, area }) => ({
      key: `${to} ${hash ?? ''} ${label.id}`,
      icon,
      title: i18n._(label),
      detail: area ? `${t`Page`} · ${i18n._(area.label)}` : t`Page`,
      link: { to, ...(hash !== undefined && { hash }) },
    }))
}

/** The consoles of the other stores of the person whose names contain the text. */
const useOtherStores = (q: string): Found[] => {
  const { t } = useLingui()
  const { data } = useQuery(ownStoresQuery(useApi()))
  return (data?.items ?? [])
    .filter(({ isCurrent }) => !isCurrent)
    .map(({ code, name, url }) => ({
      key: `switch ${code}`,
      icon: 'globe' as const,
      title: t`Switch to ${name}`,
      detail: new URL(url).host,
      link: { href: url },
    }))
    .filter(({ title, detail }) => `${title} ${detail}`.toLowerCase().includes(q.toLowerCase()))
    .slice(0, size)
}

/** Orders, members, inquiries, products, stores and plans that the API finds. */
const useObjects = (q: string): { items: Found[]; isLoading: boolean } => {
  const { t } = useLingui()
  const may = useMay()
  const api = useAdminApi()
  const { admin } = api
  const shared = { staleTime: 30_000, placeholderData: keepPreviousData }
  const isLongEnough = q.length >= 2
  const orders = useQuery({
    ...shared,
    queryKey: ['palette', 'orders', q],
    queryFn: () => admin.orders.search({ q, size }),
    enabled: isLongEnough && may('orders:read'),
  })
  const members = useQuery({
    ...shared,
    queryKey: ['palette', 'members', q],
    queryFn: () => admin.members.list({ q, size }),
    enabled: isLongEnough && may('members:read'),
  })
  const products = useQuery({
    ...shared,
    queryKey: ['palette', 'products', q],
    queryFn: () => admin.products.list({ q, size }),
    enabled: isLongEnough && may('products:read'),
  })
  const inquiries = useQuery({
    ...shared,
    queryKey: ['palette', 'inquiries', q],
    queryFn: () => admin.inquiries.list({ q, size }),
    enabled: isLongEnough && may('inquiries:read'),
  })
  const storesApi = useStoresApi()
  const stores = useQuery({
    ...shared,
    queryKey: ['palette', 'stores', q],
    queryFn: () => storesApi.list({ q, size }),
    enabled: isLongEnough && may('stores:read'),
  })
  const plans = useQuery({ ...plansQuery(api), enabled: isLongEnough && may('products:read') })
  const isLoading = [orders, members, inquiries, products, stores, plans].some(({ isFetching }) => isFetching)
  if (!isLongEnough) return { items: [], isLoading: false }
  const items: Found[] = [
    ...(orders.data?.items ?? []).map(({ code, member }) => ({
      key: `order ${code}`,
      icon: 'receipt' as const,
      title: code,
      detail: [t`Order`, ...(member ? [member.name, member.email] : [])].filter(Boolean).join(' · '),
      link: { to: '/orders/$code', params: { code } } as const,
    })),
    ...(members.data?.items ?? []).map(({ id, name, email }) => ({
      key: `member ${id}`,
      icon: 'user' as const,
      title: name || email,
      detail: `${t`Member`} · ${email}`,
      link: { to: '/members/$id', params: { id } } as const,
    })),
    ...(inquiries.data?.items ?? []).map(({ code, title, member }) => ({
      key: `inquiry ${code}`,
      icon: 'bell' as const,
      title,
      detail: [t`Inquiry`, code, member.email].join(' · '),
      link: { to: '/inquiries/$code', params: { code } } as const,
    })),
    ...(products.data?.items ?? []).map(({ code, title }) => ({
      key: `product ${code}`,
      icon: 'film' as const,
      title,
      detail: `${t`Product`} · ${code}`,
      link: { to: '/products/$code', params: { code } } as const,
    })),
    ...(stores.data?.items ?? []).map(({ code, name }) => ({
      key: `store ${code}`,
      icon: 'globe' as const,
      title: name,
      detail: `${t`Store`} · ${code}`,
      link: { to: '/stores/$code', params: { code } } as const,
    })),
    ...(plans.data?.items ?? [])
      .filter(({ name, code }) => `${name} ${code}`.toLowerCase().includes(q.toLowerCase()))
      .slice(0, size)
      .map(({ id, name, code }) => ({
        key: `plan ${id}`,
        icon: 'sparkle' as const,
        title: name,
        detail: `${t`Plan`} · ${code}`,
        link: { to: '/plans/$id', params: { id } } as const,
      })),
  ]
  return { items, isLoading }
}

/** Finds objects and pages by their names, and opens what is chosen. */
export function Palette({ onClose }: { onClose: () => void }) {
  const { t } = useLingui()
  const navigate = useNavigate()
  const listId = useId()
  const input = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useState('')
  const [active, setActive] = useState(0)
  const q = typed.trim()
  const settled = useSettled(q, pause)
  const objects = useObjects(settled)
  const results = [...usePages(q), ...useOtherStores(q), ...(q === '' ? [] : objects.items)]
  const at = Math.min(active, results.length - 1)
  const idOf = (place: number) => `${listId}-${place}`
  const open = (item: Found | undefined) => {
    if (!item) return
    onClose()
    if ('href' in item.link) location.assign(item.link.href)
    else void navigate(item.link)
  }
  const move = (to: number) => {
    setActive(to)
    document.getElementById(idOf(to))?.scrollIntoView({ block: 'nearest' })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 }
    const step = steps[event.key]
    if (step !== undefined && results.length > 0) {
      event.preventDefault()
      move((at + step + results.length) % results.length)
    } else if (event.key === 'Enter' && !event.nativeEvent.isComposing) {
      event.preventDefault()
      open(results[at])
    }
  }
  const isSearching = objects.isLoading || settled !== q
  return (
    <Dialog open onClose={onClose} title={<Trans>Find anything</Trans>} closeLabel={t`Close`} initialFocus={input}>
      <div className={styles.palette}>
        <TextField
          ref={input}
          label={t`Number, email address, name, title or page`}
          type="search"
          icon="search"
          role="combobox"
          aria-expanded={results.length > 0}
          aria-controls={listId}
          aria-autocomplete="list"
          aria-activedescendant={results.length > 0 ? idOf(at) : undefined}
          autoComplete="off"
          spellCheck={false}
          value={typed}
          onChange={({ target }) => {
            setTyped(target.value)
            setActive(0)
          }}
          onKeyDown={onKeyDown}
        />
        <div id={listId} role="listbox" aria-label={t`Found`} className={styles.list}>
          {results.map((item, place) => (
            // The keys of the options are those of the field.
            // biome-ignore lint/a11y/useKeyWithClickEvents: see above
            <div
              key={item.key}
              id={idOf(place)}
              role="option"
              tabIndex={-1}
              aria-selected={place === at}
              className={styles.option}
              onClick={() => open(item)}
              onPointerMove={() => setActive(place)}
            >
              <Icon name={item.icon} size="m" />
              <span className={styles.title}>
                <bdi>{item.title}</bdi>
              </span>
              <span className={styles.detail}>
                <bdi>{item.detail}</bdi>
              </span>
            </div>
          ))}
        </div>
        <p role="status" className={styles.status}>
          {results.length === 0 && (isSearching ? <Trans>Searching…</Trans> : <Trans>Nothing found.</Trans>)}
        </p>
      </div>
    </Dialog>
  )
}
