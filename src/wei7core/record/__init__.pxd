from wei7core.record.record cimport *
