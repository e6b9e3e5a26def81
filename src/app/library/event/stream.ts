// Events that are kept from the first one on, so that whoever begins to read late misses none.

export interface EventStream<Item> extends AsyncIterable<Item> {
  push(item: Item): void;
  end(): void;
}

/** Each reader goes through all of it; readers do not wait for each other. */
export function openStream<Item>(): EventStream<Item> {
  const items: Item[] = [];
  let isOver = false;
  let news = Promise.withResolvers<void>();
  const tell = () => {
    news.resolve();
    news = Promise.withResolvers();
  };
  return {
    push(item) {
      items.push(item);
      tell();
    },
    end() {
      isOver = true;
      tell();
    },
    async *[Symbol.asyncIterator]() {
      for (let at = 0; ; ) {
        const item = items[at];
        if (item !== undefined) {
          at++;
          yield item;
        } else if (isOver) return;
        else await news.promise;
      }
    },
  };
}
