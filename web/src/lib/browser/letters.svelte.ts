// How large the small letters of charts are: they follow the text size that the visitor chose.

class Letters {
  /** In pixels. */
  size = $state(11);

  start(): void {
    const rule = document.createElement('div');
    Object.assign(rule.style, { position: 'absolute', visibility: 'hidden', width: '0.79rem', height: '0' });
    document.body.append(rule);
    // Measured at once: a first drawing in another size would be thrown away.
    const measure = () => (this.size = rule.getBoundingClientRect().width || 11);
    measure();
    new ResizeObserver(measure).observe(rule);
  }
}

export const letters = new Letters();
