// Keeps the session's secret in the storage of this origin, which pages of other ports cannot read,
// and leaves for the page, so that the one-time code is in no address that stays.
localStorage.setItem('haggle-secret', document.querySelector('meta[name=haggle-secret]').content);
location.replace('/' + location.hash);
